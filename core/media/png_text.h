#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/find_png_text.h"

namespace kinescope {

/// Inserts an uncompressed iTXt chunk (UTF-8) for each entry after the header of `png`, which must be a complete PNG.
/// The key becomes the capitalized PNG keyword ("comment" -> "Comment"). See the PNG specification, third edition,
/// 11.3.3.4.
std::vector<std::uint8_t> with_png_text(std::span<const std::uint8_t> png,
                                        const std::map<std::string, std::string>& entries);

}  // namespace kinescope
