#pragma once

#include <array>
#include <string_view>

namespace kinescope {

/// The names of the model families that this version knows, see ModelCard::family.
inline constexpr std::array<std::string_view, 5> kModelFamilies = {"wan", "cogvideox", "svd", "stepvideo", "ltx"};

}  // namespace kinescope
