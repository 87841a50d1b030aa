#pragma once

#include <vector>

#include "core/api/job.h"
#include "core/computers/file_store.h"

namespace kinescope::computers {

/// Deletes inputs that have not been used for this time. An input is in use as long as a job that is not finished
/// names it: a job may wait for weeks, and a failed or cancelled one can be started again.
void forget_unused_inputs(FileStore& store, const std::vector<Job>& jobs, int days);

}  // namespace kinescope::computers
