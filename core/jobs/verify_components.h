#pragma once

#include "core/api/engine.h"

namespace kinescope {

/// Whether the folder holds components by themselves (<component>.safetensors beside <component>_io.safetensors) and no
/// request.
bool is_component_case(const std::filesystem::path& case_dir);

/// Replays each of them: every result and every block that the case has, against the reference. Throws Error for a case
/// that cannot be read or run.
VerifyReport verify_components(const std::filesystem::path& case_dir);

}  // namespace kinescope
