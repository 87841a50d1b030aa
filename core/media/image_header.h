#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace kinescope {

struct ImageHeader {
    std::int64_t width = 0;   ///< px, as stored
    std::int64_t height = 0;  ///< px, as stored
};

/// The size that a PNG, JPEG, WebP, TIFF or BMP announces, without decoding it. nullopt: another format, or broken.
std::optional<ImageHeader> parse_image_header(std::span<const std::uint8_t> file);

}  // namespace kinescope
