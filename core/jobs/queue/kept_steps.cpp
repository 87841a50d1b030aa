#include "core/jobs/queue/kept_steps.h"

#include <algorithm>

#include "core/api/resolved_request.h"
#include "core/jobs/queue/file_checkpoint_store.h"
#include "core/jobs/queue/part_folder.h"

namespace kinescope {

namespace fs = std::filesystem;

int kept_step(const fs::path& folder, const UnsavedJob& unsaved, int part) {
    return std::max(folder.empty() ? 0 : saved_step(folder), unsaved.step(part));
}

int kept_steps(const fs::path& job, const UnsavedJob& unsaved, const VideoRequest& request) {
    if (num_parts(request) == 1) return kept_step(job, unsaved, 0);
    const fs::path parts = job.empty() && unsaved.parts ? unsaved.parts->path() : job;
    if (parts.empty()) return 0;
    const int part = first_missing_part(parts, request);
    return steps_before(request, part) + kept_step(part_folder(parts, part), unsaved, part);
}

}  // namespace kinescope
