#pragma once

#include "core/api/engine.h"
#include "core/base/cancellation.h"

namespace kinescope {

/// Returns true if the folder contains files of single components (<component>.safetensors and
/// <component>_io.safetensors) but no request.
bool is_component_case(const std::filesystem::path& case_dir);

/// Replays each component, and compares every recorded result and block output. Throws Error if the case cannot be read
/// or run, and Cancelled.
VerifyReport verify_components(const std::filesystem::path& case_dir, const CancellationToken& stop = {});

}  // namespace kinescope
