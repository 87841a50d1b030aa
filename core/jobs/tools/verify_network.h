#pragma once

#include "core/api/engine.h"

namespace kinescope {

/// Returns true if request.json of the folder names the task "upscale", "interpolate" or "tiny_autoencoder".
bool is_network_case(const std::filesystem::path& case_dir);

/// Runs the network of the case in float32 on its recorded inputs and compares the result. Throws Error if the case
/// cannot be read or run.
VerifyReport verify_network(const std::filesystem::path& case_dir, const VerifyOptions& options);

}  // namespace kinescope
