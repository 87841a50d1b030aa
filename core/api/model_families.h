#pragma once

#include <array>
#include <string_view>

namespace kinescope {

/// The names of the model families that this version knows, as in ModelCard::family. The window, which does not link
/// the engine, refuses presets of other families. TestFamilyDefaults compares the names with core/models/families.cpp.
inline constexpr auto kModelFamilies = std::to_array<std::string_view>({"wan", "cogvideox", "svd", "stepvideo", "ltx"});

}  // namespace kinescope
