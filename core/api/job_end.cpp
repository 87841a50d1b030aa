#include "core/api/job_end.h"

namespace kinescope {

namespace {

struct EndWriter {
    Job& job;
    void operator()(const RunFinished& end) const {
        job.state = JobState::finished;
        job.output = end.result.output;
    }
    void operator()(const RunFailed& end) const {
        job.state = JobState::failed;
        job.error = end.error;
    }
    void operator()(const RunCancelled& end) const {
        job.state = JobState::cancelled;
        job.output = end.output;
    }
    void operator()(const RunPaused& end) const {
        job.state = JobState::paused;
        job.step = end.step;
    }
    template <class Other>
    void operator()(const Other&) const {}
};

}  // namespace

void record_end(const RunEvent& end, Job& job) {
    std::visit(EndWriter{job}, end);
}

}  // namespace kinescope
