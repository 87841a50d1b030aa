#pragma once

#include <string>

#include "core/jobs/learned_overrides.h"

namespace kinescope {

/// Returns the SHA-256 of everything that determines the numbers of a run, except the request: program, libraries,
/// device, model weights, and precision policy. A run continues from a checkpoint only if the fingerprint is the same.
std::string run_fingerprint(const PreparedRun& job, const OverrideKey& key);

}  // namespace kinescope
