#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace kinescope {

struct ImageHeader {
    std::int64_t width = 0;   ///< px, as stored
    std::int64_t height = 0;  ///< px, as stored
};

/// Returns the size in the header of a PNG, JPEG, WebP, TIFF or BMP, without decoding the image. nullopt for other
/// formats and damaged files. Files with two sizes, or with a size that decoders could interpret differently, count as
/// damaged.
std::optional<ImageHeader> parse_image_header(std::span<const std::uint8_t> file);

/// Returns true for a truncated JPEG, whose missing part decoders fill with gray without an error. False for other
/// formats.
bool is_cut_off_jpeg(std::span<const std::uint8_t> file);

}  // namespace kinescope
