#pragma once

#include <string>

#include "core/jobs/learned_overrides.h"

namespace kinescope {

/// Returns the SHA-256 of everything besides the request that determines the numbers of a run: program, libraries,
/// device, model weights, and the compute policy. A checkpoint is continued only under the same fingerprint.
std::string run_fingerprint(const PreparedRun& job, const OverrideKey& key);

}  // namespace kinescope
