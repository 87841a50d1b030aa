#pragma once

#include "core/api/engine.h"
#include "core/base/cancellation.h"

namespace kinescope {

/// Returns true if request.json of the folder names the task "upscale", "interpolate" or "tiny_autoencoder".
bool is_network_case(const std::filesystem::path& case_dir);

/// Runs the network of the case in float32 on its recorded inputs and compares the result. Throws Error if the case
/// cannot be read or run, and Cancelled.
VerifyReport verify_network(const std::filesystem::path& case_dir, const VerifyOptions& options,
                            const CancellationToken& stop);

}  // namespace kinescope
