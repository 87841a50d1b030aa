#include "core/jobs/queue/part_folder.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/api/resolved_request.h"
#include "core/jobs/queue/file_checkpoint_store.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPartPrefix = "part-";

std::vector<fs::path> part_folders(const fs::path& job) {
    std::vector<fs::path> folders;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(job, ignored))
        if (entry.path().filename().string().starts_with(kPartPrefix)) folders.push_back(entry.path());
    return folders;
}

}  // namespace

fs::path part_folder(const fs::path& job, int part) {
    return job / (kPartPrefix + std::to_string(part + 1));
}

fs::path part_video(const fs::path& job, int part) {
    return part_folder(job, part) / "video.mkv";
}

int first_missing_part(const fs::path& job, const VideoRequest& request) {
    int part = 0;
    std::error_code ignored;
    while (part + 1 < num_parts(request) && fs::exists(part_video(job, part), ignored)) ++part;
    return part;
}

int saved_steps(const fs::path& job, const VideoRequest& request) {
    if (num_parts(request) == 1) return saved_step(job);
    const int part = first_missing_part(job, request);
    return steps_before(request, part) + saved_step(part_folder(job, part));
}

bool has_saved_step(const fs::path& job) {
    return saved_step(job) > 0 ||
           std::ranges::any_of(part_folders(job), [](const fs::path& part) { return saved_step(part) > 0; });
}

void remove_saved_steps(const fs::path& job) {
    remove_checkpoint_files(job);
    std::error_code ignored;
    for (const fs::path& part : part_folders(job)) fs::remove_all(part, ignored);
}

}  // namespace kinescope
