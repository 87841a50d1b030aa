#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope {

/// `png` with one iTXt chunk for each entry (UTF-8, not compressed) right after its header; the key becomes the PNG
/// keyword ("comment" -> "Comment"). PNG specification, third edition, 11.3.3.4. `png` must be a whole PNG.
std::vector<std::uint8_t> with_png_text(std::span<const std::uint8_t> png,
                                        const std::map<std::string, std::string>& entries);

/// The text of the first iTXt or tEXt chunk with that keyword, whatever its case. Never reads beyond `png`; gives up at
/// the first chunk that is broken.
std::optional<std::string> find_png_text(std::span<const std::uint8_t> png, std::string_view keyword);

}  // namespace kinescope
