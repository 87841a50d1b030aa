#include "core/jobs/queue/continued_video.h"

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/jobs/queue/file_checkpoint_store.h"
#include "core/pipeline/joined_sink.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

void write_contents(const fs::path& file, const FileContents& contents) {
    const Json json = {{"sha256", contents.sha256}, {"bytes", contents.bytes}, {"changed", contents.changed}};
    write_file_atomically(file, json.dump(1));
}

/// Returns nullopt if the file is missing, because an earlier version started the job, or damaged.
std::optional<FileContents> saved_contents(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return std::nullopt;
    try {
        const Json json = read_json(file);
        return FileContents{.sha256 = json.at("sha256").get<std::string>(),
                            .bytes = json.at("bytes").get<std::int64_t>(),
                            .changed = json.at("changed").get<std::int64_t>()};
    } catch (const JsonError&) {
        return std::nullopt;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

bool has_saved_checkpoint(const RunningJob& job) {
    return job.folder.empty() ? job.unsaved->checkpoint.load().checkpoint.has_value() : has_checkpoint(job.folder);
}

}  // namespace

std::optional<FileContents> keep_continued_contents(const RunningJob& job) {
    const auto& video = job.request.continue_video;
    if (!video || (job.part && job.part->index > 0)) return std::nullopt;
    const fs::path file = job.folder / kContinuedContents;
    if (has_saved_checkpoint(job)) {
        const auto before = job.folder.empty() ? job.unsaved->continued : saved_contents(file);
        if (before) require_contents(*video, *before);
        return before;
    }
    FileContents contents = read_contents(*video);
    if (job.folder.empty())
        job.unsaved->continued = contents;
    else
        write_contents(file, contents);
    return contents;
}

}  // namespace kinescope
