#include "core/jobs/queue/continued_video.h"

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/jobs/queue/file_checkpoint_store.h"
#include "core/pipeline/joined_sink.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

void write_stamp(const fs::path& file, const ContentStamp& stamp) {
    const Json json = {{"sha256", stamp.sha256}, {"bytes", stamp.bytes}, {"changed", stamp.changed}};
    write_file_atomically(file, json.dump(1));
}

/// Returns nullopt if the file is missing, because an earlier version started the job, or damaged.
std::optional<ContentStamp> saved_stamp(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return std::nullopt;
    try {
        const Json json = read_json(file);
        return ContentStamp{.sha256 = json.at("sha256").get<std::string>(),
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

std::optional<ContentStamp> keep_continued_stamp(const RunningJob& job) {
    const auto& video = job.request.continue_video;
    if (!video || (job.part && job.part->index > 0)) return std::nullopt;
    const fs::path file = job.folder / kContinuedStamp;
    if (has_saved_checkpoint(job)) {
        const auto before = job.folder.empty() ? job.unsaved->continued : saved_stamp(file);
        if (before) require_stamp(*video, *before);
        return before;
    }
    ContentStamp stamp = content_stamp(*video);
    if (job.folder.empty())
        job.unsaved->continued = stamp;
    else
        write_stamp(file, stamp);
    return stamp;
}

}  // namespace kinescope
