#include "core/jobs/queue/part_folder.h"

#include <algorithm>

#include "core/api/resolved_request.h"
#include "core/base/file_presence.h"
#include "core/jobs/queue/file_checkpoint_store.h"
#include "core/jobs/queue/part_result.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

Error unreadable_part(const fs::path& file, const std::error_code& error) {
    return {ErrorCode::file_unreadable,
            "Cannot read " + file.string() + ": " + error.message(),
            {},
            {{"path", file.string()}}};
}

}  // namespace

bool is_complete_part(const fs::path& job, int part) {
    const fs::path video = part_video(job, part);
    if (!has_entry(video)) return false;
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(video, error);
    if (error) throw unreadable_part(video, error);
    try {
        return static_cast<std::uintmax_t>(read_part_result(part_folder(job, part)).run.output_bytes) == bytes;
    } catch (const Error& damage) {
        if (is_of_reading(damage)) throw;
        return false;
    }
}

fs::path part_video(const fs::path& job, int part) {
    return part_folder(job, part) / kPartVideo;
}

int first_missing_part(const fs::path& job, const VideoRequest& request) {
    int part = 0;
    while (part + 1 < num_parts(request) && is_complete_part(job, part)) ++part;
    return part;
}

int saved_steps(const fs::path& job, const VideoRequest& request) {
    if (num_parts(request) == 1) return saved_step(job);
    const int part = first_missing_part(job, request);
    return steps_before(request, part) + saved_step(part_folder(job, part));
}

bool has_saved_step(const fs::path& job) {
    if (saved_step(job) > 0) return true;
    std::error_code error;
    const auto parts = part_folders(job, error);
    if (error) throw unreadable_part(job, error);
    return std::ranges::any_of(parts, [](const fs::path& part) { return saved_step(part) > 0; });
}

void remove_saved_steps(const fs::path& job) {
    remove_checkpoint_files(job);
    std::error_code ignored;
    fs::remove(job / kContinuedStamp, ignored);
    for (const fs::path& part : part_folders(job, ignored)) fs::remove_all(part, ignored);
}

}  // namespace kinescope
