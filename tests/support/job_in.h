#pragma once

#include "core/api/job.h"

namespace kinescope::testing {

/// Returns a job with only an id, a state and the number of its finished steps.
inline Job job_in(JobId id, JobState state, int step = 0) {
    Job job;
    job.id = id;
    job.state = state;
    job.step = step;
    return job;
}

}  // namespace kinescope::testing
