#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/api/error.h"
#include "core/api/frame.h"
#include "core/media/color_convert.h"

namespace kinescope {

struct VideoLimits {
    std::int64_t max_pixels = 64'000'000;  ///< of one frame
    int max_frames = 1'000'000;
};

struct VideoInfo {
    int width = 0;   ///< px
    int height = 0;  ///< px
    double fps = 0;  ///< 0 if the file does not contain it
    int num_frames = 0;
    std::string codec;         ///< libav's decoder name, such as "h264"
    std::string pixel_format;  ///< such as "yuv420p"
    std::string color_space;   ///< such as "bt709"; "unknown" if untagged
    std::string color_range;   ///< "tv" (limited), "pc" (full) or "unknown"
};

/// Decodes a video to RGB frame by frame, with one frame in memory. Checks untrusted files against the limits.
class VideoReader {
public:
    /// Opens the file and counts its frames. Throws Error(file_not_found), and Error(file_unreadable) for a damaged
    /// file or one that exceeds a limit.
    explicit VideoReader(const std::filesystem::path& file, const VideoLimits& limits = {});

    const VideoInfo& info() const { return info_; }
    /// Returns the next frame, or nullopt after the last one. Throws Error(file_unreadable) for damaged data.
    std::optional<Frame> read();
    /// Returns to the start, so that the next read() returns the first frame.
    void rewind();

private:
    void open_stream(const VideoLimits& limits);
    void choose_stream(unsigned index);
    void open_decoder(const VideoLimits& limits);
    void describe(const VideoLimits& limits);
    int count_packets(int limit);
    void feed_decoder();
    Error unreadable(const std::string& reason) const;

    std::filesystem::path file_;
    AvInputPtr input_;
    AvCodecPtr decoder_;
    AvPacketPtr packet_;
    AvFramePtr picture_;
    AVStream* stream_ = nullptr;
    std::optional<PictureToFrame> to_frame_;
    VideoInfo info_;
};

}  // namespace kinescope
