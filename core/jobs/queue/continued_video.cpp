#include "core/jobs/queue/continued_video.h"

#include "core/base/atomic_file.h"
#include "core/base/file_presence.h"
#include "core/base/json.h"
#include "core/base/part_files.h"
#include "core/jobs/queue/file_checkpoint_store.h"
#include "core/pipeline/joined_sink.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

void write_stamp(const fs::path& file, const ContentStamp& stamp) {
    const Json json = {{"sha256", stamp.sha256}, {"bytes", stamp.bytes}, {"changed", stamp.changed}};
    write_file_atomically(file, json.dump(1));
}

/// Returns nullopt if the file is missing, because an earlier version started the job, or damaged. Throws
/// Error(file_unreadable) if it cannot be read now.
std::optional<ContentStamp> saved_stamp(const fs::path& file) {
    if (!has_entry(file)) return std::nullopt;
    try {
        const Json json = read_json(file);
        return ContentStamp{.sha256 = json.at("sha256").get<std::string>(),
                            .bytes = json.at("bytes").get<std::int64_t>(),
                            .changed = json.at("changed").get<std::int64_t>()};
    } catch (const Error& error) {
        if (is_of_reading(error)) throw;
        return std::nullopt;  // it cannot be parsed
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

std::optional<ContentStamp> keep_stamp(const RunningJob& job) {
    const fs::path& video = *job.request.continue_video;
    const fs::path file = job.folder / kContinuedStamp;
    if (has_checkpoint(job)) {
        const auto before = job.folder.empty() ? job.unsaved->continued : saved_stamp(file);
        if (before) require_stamp(video, *before, job.flags.stop);
        return before;
    }
    ContentStamp stamp = content_stamp(video, job.flags.stop);
    if (job.folder.empty())
        job.unsaved->continued = stamp;
    else
        write_stamp(file, stamp);
    return stamp;
}

}  // namespace

bool has_checkpoint(const RunningJob& job) {
    return job.unsaved->has_checkpoint(part_index(job)) || (!job.folder.empty() && has_checkpoint(job.folder));
}

std::optional<ContentStamp> keep_continued_stamp(const RunningJob& job) {
    if (!job.request.continue_video || (job.part && job.part->index > 0)) return std::nullopt;
    return keep_stamp(job);
}

}  // namespace kinescope
