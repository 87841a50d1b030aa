#pragma once

#include <filesystem>

#include "core/media/av_handles.h"

namespace kinescope {

/// Opens MP4, MOV, MKV, WebM and GIF files only: no playlists, no network, no other files that a file refers to. Reads
/// only the header. Throws Error(file_not_found, file_unreadable).
AvInputPtr open_media_input(const std::filesystem::path& file);

}  // namespace kinescope
