#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/api/frame.h"
#include "core/media/background.h"

namespace kinescope {

struct ImageLimits {
    std::int64_t max_pixels = 100'000'000;  ///< checked in the header before decoding
    std::int64_t max_file_bytes = 512 << 20;
};

/// Reads a PNG, JPEG, WebP, TIFF or BMP as RGB, oriented by its EXIF data. Shows transparent parts over the background
/// and reduces 16-bit channels to 8 bits. Throws Error(file_not_found, image_unreadable).
Frame read_image(const std::filesystem::path& file, const ImageLimits& limits = {});

struct Picture {
    Frame frame;
    bool is_transparent = false;  ///< some of its parts are
};
/// The same over this background.
Picture read_picture(const std::filesystem::path& file, Background background, const ImageLimits& limits = {});

/// Encodes a frame as PNG. `metadata` becomes text chunks (see png_text.h). Error messages name `file`. Throws
/// Error(encode_failed).
std::vector<std::uint8_t> encode_png(const Frame& frame, const std::filesystem::path& file,
                                     const std::map<std::string, std::string>& metadata = {});

/// Writes a PNG under a temporary name and then replaces `file`. Throws Error(output_not_writable, disk_full,
/// encode_failed).
void write_png(const std::filesystem::path& file, const Frame& frame,
               const std::map<std::string, std::string>& metadata = {});

}  // namespace kinescope
