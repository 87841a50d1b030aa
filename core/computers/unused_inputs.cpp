#include "core/computers/unused_inputs.h"

#include "core/computers/request_paths.h"

namespace kinescope::computers {

void forget_unused_inputs(FileStore& store, const std::vector<Job>& jobs, int days) {
    for (const Job& job : jobs) {
        if (job.state == JobState::finished) continue;
        VideoRequest request = job.request;
        visit_paths(request, [&store](PathUse use, const std::filesystem::path& path) {
            if (use == PathUse::input) store.note_use(path);
        });
    }
    store.forget_inputs(days);
}

}  // namespace kinescope::computers
