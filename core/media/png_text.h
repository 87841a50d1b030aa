#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope {

/// Inserts an uncompressed iTXt chunk (UTF-8) for each entry after the header of `png`, which must be a complete PNG.
/// The key becomes the capitalized PNG keyword ("comment" -> "Comment"). See the PNG specification, third edition,
/// 11.3.3.4.
std::vector<std::uint8_t> with_png_text(std::span<const std::uint8_t> png,
                                        const std::map<std::string, std::string>& entries);

/// Returns the text of the first iTXt or tEXt chunk with that keyword (case-insensitive). Stops at the first damaged
/// chunk. Never reads out of bounds.
std::optional<std::string> find_png_text(std::span<const std::uint8_t> png, std::string_view keyword);

}  // namespace kinescope
