#pragma once

#include <string>

#include "core/jobs/learned_overrides.h"

namespace kinescope {

/// Changes with whatever besides the request decides the numbers of a run: the program, the libraries, the device, the
/// model's weights, how each component computes.
std::string run_fingerprint(const VideoJob& job, const OverrideKey& key);

}  // namespace kinescope
