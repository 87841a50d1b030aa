#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/api/error.h"
#include "core/api/frame.h"
#include "core/media/background.h"
#include "core/media/color_convert.h"
#include "core/media/turned_frame.h"
#include "core/media/video_info.h"

namespace kinescope {

/// Decodes a video to upright RGB frame by frame, with one frame in memory. Validates untrusted files against the
/// limits.
class VideoReader {
public:
    /// Opens the file and counts its frames. Throws Error(file_not_found), and Error(file_unreadable) for a damaged
    /// file or one that exceeds a limit.
    explicit VideoReader(const std::filesystem::path& file, const VideoLimits& limits = {},
                         Background background = Background::white);

    const VideoInfo& info() const { return info_; }
    bool has_sound() const;
    /// Returns the next frame, or nullopt after the last one. Throws Error(file_unreadable) for damaged data.
    std::optional<Frame> read();
    /// Decodes the next frame without converting it. Returns false after the last one. Throws like read().
    bool skip();
    /// Goes ahead to the last key frame up to frame `index`, if this is much faster than to decode the frames before
    /// it. Returns the number of the next frame. If a key frame proves unusable, this is 0: the next frame is the first
    /// one again, and all are decoded from now on.
    int approach(int index);
    /// The time at which the frame of the last read() or skip() is shown, in seconds after the earliest stream starts.
    double seconds() const { return seconds_; }
    /// The next read() returns the first frame again.
    void rewind();

private:
    void open_stream(const VideoLimits& limits);
    int video_stream(const VideoLimits& limits) const;
    void choose_stream(unsigned index);
    void open_decoder(const VideoLimits& limits);
    void describe(const VideoLimits& limits);
    void use_square_pixels(const VideoLimits& limits);
    void count_frames(const VideoLimits& limits);
    void find_key_frames();
    bool seek(int key);
    bool is_next(int index);
    void give_up_seeking();
    std::vector<double> indexed_times() const;
    FrameCount read_times(const VideoLimits& limits, std::vector<double>& times);
    int estimated_frames(std::size_t num_read, std::int64_t bytes_read) const;
    bool decode();
    bool skip_decoded();
    void take_time();
    void feed_decoder();
    Error unreadable(const std::string& reason) const;
    Error unreadable(int result) const;  ///< of libav
    /// Demuxers report an error of the file system as the end of the file.
    void throw_if_read_failed() const;

    std::filesystem::path file_;
    Background background_;
    AvInputPtr input_;
    AvCodecPtr decoder_;
    AvPacketPtr packet_;
    AvFramePtr picture_;
    AVStream* stream_ = nullptr;
    std::optional<PictureToFrame> to_frame_;
    VideoInfo info_;
    Mirror mirror_ = Mirror::none;
    double start_ = 0;  ///< s, of the earliest stream
    double seconds_ = 0;
    int num_read_ = 0;

    /// The times of all shown packets in the time base of the stream, sorted once the file has been read.
    std::vector<std::int64_t> times_;
    std::vector<std::int64_t> key_times_;
    std::vector<int> keys_;    ///< numbers of the key frames to which a seek may lead
    int next_ = 0;             ///< number of the frame that is read next
    int sought_ = 0;           ///< key frame to which the last seek went
    bool has_sought_ = false;  ///< since the file was opened
    bool is_held_ = false;     ///< picture_ is the next frame
};

}  // namespace kinescope
