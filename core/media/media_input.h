#pragma once

#include <cstdint>
#include <filesystem>

#include "core/api/error.h"
#include "core/media/av_handles.h"

namespace kinescope {

/// Opens an MP4, MOV, MKV, WebM or GIF file and reads its header. Never opens playlists, network addresses, or other
/// files to which a file refers. Throws Error(file_not_found, file_unreadable).
AvInputPtr open_media_input(const std::filesystem::path& file);
/// The same for files with sound: also WAV, FLAC, MP3, AAC, OGG and AIFF.
AvInputPtr open_track_input(const std::filesystem::path& file);

/// Returns the error of a file with the reason that libav returned. The error proves damage (see damaged_file.h) if the
/// reason is the contents of the file, not an error of the system.
Error with_reason(const Error& error, int result);

/// Returns the error of a file that contains sound or other data, but no frames.
Error no_video_stream(const std::filesystem::path& file);

/// Returns the number of the stream of frames; negative if there is none. A cover picture is not a video.
int best_video_stream(AVFormatContext& input);

/// Returns the limit to set for a decoder of frames of at most `max_pixels`. Decoders count the pixels by which they
/// enlarge frames to whole blocks and vectors, so they refuse frames that are much larger, not all that are larger.
std::int64_t decoder_limit(std::int64_t max_pixels);

/// Decodes frames until the properties missing in the headers (pixel format, frame rate) are known. Refuses frames
/// above decoder_limit(max_pixels). Returns libav's result.
int find_stream_info(AVFormatContext& input, std::int64_t max_pixels);

}  // namespace kinescope
