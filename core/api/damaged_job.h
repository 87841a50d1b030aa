#pragma once

#include "core/api/job.h"

namespace kinescope {

/// Argument "cause" of the error of a job whose file is damaged.
constexpr const char* kDamagedJobCause = "damaged_job";

/// Returns true for a job whose file is damaged. It has failed, its request is empty, and it can only be removed.
inline bool is_damaged(const Job& job) {
    return job.state == JobState::failed && job.error && job.error->argument("cause") == kDamagedJobCause;
}

}  // namespace kinescope
