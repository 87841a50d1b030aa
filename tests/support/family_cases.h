#pragma once

#include <array>

namespace kinescope::testing {

/// One golden case of each model family: a folder in tests/data with request.json and a complete tiny model in `model`.
/// A new family needs a row, see TestFamilyDefaults::every_family_has_a_case.
inline constexpr std::array kFamilyCases = {"wan_t2v", "cogvideox/t2v", "svd", "stepvideo_t2v", "ltx/t2v"};

}  // namespace kinescope::testing
