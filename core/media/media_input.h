#pragma once

#include <filesystem>

#include "core/media/av_handles.h"

namespace kinescope {

/// Opens an MP4, MOV, MKV, WebM or GIF file and reads its header. Never opens playlists, network addresses, or other
/// files to which a file refers. Throws Error(file_not_found, file_unreadable).
AvInputPtr open_media_input(const std::filesystem::path& file);

}  // namespace kinescope
