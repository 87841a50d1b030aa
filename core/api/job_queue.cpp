#include "core/api/job_queue.h"

namespace kinescope {

void resume_without_finish(JobQueue& queue, JobId job) {
    std::optional<Job> found = queue.find(job);
    if (!found) return;
    found->request.finish = {};
    queue.edit(job, std::move(found->request));
    queue.resume(job);
}

}  // namespace kinescope
