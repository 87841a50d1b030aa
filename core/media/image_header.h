#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace kinescope {

struct ImageHeader {
    std::int64_t width = 0;   ///< px, as stored
    std::int64_t height = 0;  ///< px, as stored
};

/// Returns the size in the header of a PNG, JPEG, WebP, TIFF or BMP, without decoding the image. Returns nullopt for
/// other formats and damaged files. A file with two sizes, or with a size that decoders could interpret differently,
/// counts as damaged.
std::optional<ImageHeader> parse_image_header(std::span<const std::uint8_t> file);

/// Returns true for a file that may have transparent parts, by its header. Returns false for other formats.
bool may_be_transparent(std::span<const std::uint8_t> file);

/// Returns true for a truncated JPEG: decoders fill its missing part with gray without an error. Returns false for
/// other formats.
bool is_cut_off_jpeg(std::span<const std::uint8_t> file);

/// Returns true for a PNG with a chunk that is longer than the rest of the file: libpng allocates the stated length, up
/// to 2 GiB, before it reads the chunk. Returns false for other formats.
bool is_cut_off_png(std::span<const std::uint8_t> file);

}  // namespace kinescope
