#pragma once

#include "core/api/engine.h"

namespace kinescope {

/// Replays a golden case: components by themselves (verify_components), or each component alone that the case has the
/// inputs of and the family offers, then the whole request; every tensor against the reference. Runs on the calling
/// thread. Throws Error for a case that cannot be read or run.
VerifyReport verify_case(const std::filesystem::path& case_dir, const std::filesystem::path& resources_dir,
                         const VerifyOptions& options);

}  // namespace kinescope
