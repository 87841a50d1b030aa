#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kinescope {

/// Returns the text of the first iTXt or tEXt chunk with that keyword (case-insensitive). Stops at the first damaged
/// chunk. Never reads out of bounds.
std::optional<std::string> find_png_text(std::span<const std::uint8_t> png, std::string_view keyword);

}  // namespace kinescope
