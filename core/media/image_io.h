#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "core/api/frame.h"

namespace kinescope {

struct ImageLimits {
    std::int64_t max_pixels = 100'000'000;  ///< checked in the header, before anything is decoded
    std::int64_t max_file_bytes = 512 << 20;
};

/// A PNG, JPEG, WebP, TIFF or BMP as RGB, turned upright as its EXIF data says; alpha is dropped and 16 bits become 8.
/// Throws Error(file_not_found, image_unreadable).
Frame read_image(const std::filesystem::path& file, const ImageLimits& limits = {});

/// Writes a PNG under a temporary name and replaces `file`. `metadata` becomes text chunks (see png_text.h).
/// Throws Error(output_not_writable, disk_full, encode_failed).
void write_png(const std::filesystem::path& file, const Frame& frame,
               const std::map<std::string, std::string>& metadata = {});

}  // namespace kinescope
