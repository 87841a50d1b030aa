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
/// A file that names its size twice, or in a form that decoders could read in another way, counts as broken.
std::optional<ImageHeader> parse_image_header(std::span<const std::uint8_t> file);

/// Whether a JPEG lacks its end: decoders fill what is missing with grey and report nothing. False for other formats.
bool is_cut_off_jpeg(std::span<const std::uint8_t> file);

}  // namespace kinescope
