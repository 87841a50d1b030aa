#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/media/av_handles.h"
#include "core/media/track_cursor.h"
#include "core/media/video_info.h"

struct SwrContext;

namespace kinescope {

/// Reads an audio stream of a file, as packets or decoded, or the packets of subtitles, with little memory. Times count
/// from the start of the earliest stream: decoded sound that starts later than the video begins with silence, and gaps
/// in it are silent.
class TrackSource {
public:
    /// `stream`: as in SideTrack. Throws Error(file_not_found), and Error(file_unreadable) for a file without sound
    /// that this libav reads, or without this stream.
    TrackSource(const std::filesystem::path& file, int stream);
    ~TrackSource();

    /// The next packet. nullopt after the last one, and when the file was read up to `last_byte` without finding one:
    /// then has_ended() is false. Do not mix with next_pcm.
    std::optional<TrackPacket> next_packet(std::int64_t last_byte);
    bool has_ended() const { return has_ended_; }
    /// The number of bytes of the file before the place that is read next.
    std::int64_t position() const;
    /// The next decoded samples; empty after the last ones. Damaged packets are silent.
    std::vector<float> next_pcm();

    /// Compares the file with the length that it states. Reads the packets of MP3 and FLAC files, which state the
    /// length of their sound only. Call it before any packet is read, and read nothing afterwards.
    FileExtent extent();

    static constexpr std::int64_t kEndOfFile = std::numeric_limits<std::int64_t>::max();

private:
    struct ResamplerDeleter {
        void operator()(SwrContext* resampler) const;
    };

    bool read_packet(std::int64_t last_byte = kEndOfFile);
    FileExtent extent_of_packets();
    void open_decoder();
    void follow(const AVFrame& from);
    std::vector<float> resampled(const AVFrame* picture);
    void place(const AVFrame& frame);
    std::vector<float> next_decoded();

    std::filesystem::path file_;
    AvInputPtr input_;
    AVStream* stream_ = nullptr;
    AvPacketPtr packet_;
    AvCodecPtr decoder_;
    AvFramePtr samples_;
    std::unique_ptr<SwrContext, ResamplerDeleter> resampler_;
    int format_ = -1;  ///< of the samples that the resampler takes, as the next two
    int rate_ = 0;
    int num_channels_ = 0;
    double stated_seconds_ = 0;  ///< length of the stream as its header states it; 0: unknown
    double file_start_ = 0;      ///< s, of the earliest stream
    std::int64_t placed_ = 0;    ///< values from the start of the file to the next decoded one; may be negative
    std::int64_t silence_ = 0;   ///< values of silence that remain before held_
    std::int64_t left_out_ = 0;  ///< decoded values that remain to be left out: before the file's start, or overlapping
    std::vector<float> held_;    ///< decoded, waits for the end of the silence
    bool is_start_placed_ = false;
    bool is_drained_ = false;
    bool has_ended_ = false;  ///< all packets are read
};

}  // namespace kinescope
