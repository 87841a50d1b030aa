#pragma once

#include <string>

#include "core/jobs/learned_overrides.h"

namespace kinescope {

/// Identifies what determines the numbers of a run, except the request.
struct RunFingerprint {
    std::string run;     ///< SHA-256 of program, libraries, device, its fast paths, model weights and precision policy
    std::string model;   ///< SHA-256 of the part that every device shares: program, LibTorch and model weights
    std::string device;  ///< for messages, and to tell devices apart: "cpu Xeon, AVX2 kernels of the CPU"
};

/// A run continues from a checkpoint with the same `run` bit for bit. On another device, a checkpoint with the same
/// `model` is continued, too, but the bits may differ from those of an unbroken run.
RunFingerprint run_fingerprint(const PreparedRun& job, const OverrideKey& key);

}  // namespace kinescope
