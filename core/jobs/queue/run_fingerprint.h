#pragma once

#include <string>
#include <vector>

#include "core/jobs/learned_overrides.h"
#include "core/jobs/model_fingerprint.h"

namespace kinescope {

/// Identifies what determines the numbers of a run.
struct RunFingerprint {
    std::string run;           ///< SHA-256 of program, libraries, device, its fast paths, model and precision policy
    std::string model;         ///< SHA-256 of the part that every device shares: program, LibTorch and model
    std::string device;        ///< for messages, and to tell devices apart: "cpu Xeon, AVX2 kernels of the CPU"
    std::string request = {};  ///< SHA-256 of what determines the numbers of all steps in the request, without paths
    std::vector<SampledFile> sampled = {};  ///< the files of the model of which `run` and `model` cover only samples
};

/// A run continues from a checkpoint with the same `run` and `request` bit for bit. On another device, a checkpoint
/// with the same `model` and `request` is continued, too, but the bits may differ from those of an unbroken run. So may
/// they if one of the `sampled` files was modified. A complete part of a long video is joined with parts of the same
/// `model`, if its own `request` is the same.
RunFingerprint run_fingerprint(const PreparedRun& job, const OverrideKey& key, const ModelIdentity& identity);

/// Returns RunFingerprint::request of a request.
std::string request_fingerprint(const ResolvedRequest& request, const ModelCard& card);

}  // namespace kinescope
