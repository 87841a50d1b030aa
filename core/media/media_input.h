#pragma once

#include <filesystem>

#include "core/media/av_handles.h"

namespace kinescope {

/// Opens MP4, MOV, MKV, WebM and GIF files and nothing else: no playlists, no network, no files that a file names.
/// Reads the header only. Throws Error(file_not_found, file_unreadable).
AvInputPtr open_media_input(const std::filesystem::path& file);

}  // namespace kinescope
