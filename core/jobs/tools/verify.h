#pragma once

#include "core/api/engine.h"
#include "core/base/cancellation.h"
#include "core/weights/weight_check.h"

namespace kinescope {

/// Replays a golden case and compares every tensor with the reference: either only single components
/// (verify_components), or each component with recorded inputs and then the whole request. Runs on the calling thread.
/// `check` is called before a weight file is opened. Throws Error if the case cannot be read or run, and Cancelled.
VerifyReport verify_case(const std::filesystem::path& case_dir, const std::filesystem::path& resources_dir,
                         const VerifyOptions& options, const WeightCheck& check = {},
                         const CancellationToken& stop = {});

}  // namespace kinescope
