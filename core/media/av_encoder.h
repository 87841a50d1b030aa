#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/media/av_handles.h"
#include "core/media/container.h"
#include "core/media/frame_sink.h"
#include "core/media/pending_file.h"
#include "core/media/saved_chunks.h"
#include "core/media/track_packets.h"

namespace kinescope {

/// Times of an encoder's packet, in frames from the start of its sequence.
struct PacketTimes {
    std::int64_t index = 0;  ///< of the packet in its sequence
    std::int64_t pts = 0;
    std::int64_t dts = 0;
    std::int64_t dts_before = 0;  ///< of the packet before it
};

/// Returns the dts of a packet, or its index if the dts cannot be right. `longest_delay`: the frames by which decoding
/// may precede showing. For sequences of one or two frames, libx265 returns uninitialized memory as dts.
std::int64_t usable_dts(const PacketTimes& packet, int longest_delay);

/// One video stream that libav encodes and muxes into a PendingFile, with the tracks of SinkOptions. The same frames
/// produce the same bytes, also if the first of them come from SinkOptions::saved: with it, the encoder starts anew
/// after each chunk.
class AvEncoder {
public:
    /// `file` must outlive the encoder. Throws Error(codec_missing, bad_request, disk_full, encode_failed).
    AvEncoder(PendingFile& file, const SinkOptions& options, const Container& container);

    /// Returns the pixel format that encode() expects.
    AVPixelFormat pixel_format() const { return codec_->pix_fmt; }
    /// Returns the matrix of the frames that encode() expects.
    AVColorSpace matrix() const { return codec_->colorspace; }
    int num_frames() const { return first_ + chunk_.num_frames; }
    /// Returns the number of frames that the file contained before the first call of encode().
    int num_saved() const { return num_saved_; }

    /// Encodes one frame. Throws Error(disk_full, encode_failed).
    void encode(AVFrame& picture);
    /// Flushes the encoder and completes the file. Do not call encode() afterwards. Throws like encode().
    void end();

private:
    /// A sound or subtitles.
    struct Track {
        std::shared_ptr<TrackInput> input;
        std::unique_ptr<TrackPackets> packets;
        AVStream* stream = nullptr;
        double seconds = 0;  ///< time of the last packet
        bool has_ended = false;
    };
    void add_track(std::shared_ptr<TrackInput> input);
    void add_chapter(const Chapter& chapter);
    /// How far a source is read for the next line of subtitles, which may be hours later.
    enum class Search { one_part, whole_file };
    void mux_tracks_until(double seconds, Search search);
    void mux_until(Track& track, double seconds, Search search);
    double end_seconds() const { return num_frames() * av_q2d(codec_->time_base); }
    void start_stream(const SinkOptions& options, const Container& container);
    void use_saved_chunks();
    void end_chunk();
    bool is_chunk_full() const;
    void tag(AVFrame& picture) const;
    void drain();
    void correct_dts(AVPacket& packet);
    void mux(AVPacket& packet);
    void check(int result, const char* doing) const;

    PendingFile& file_;
    AvIoPtr io_;
    AvOutputPtr muxer_;
    std::function<AvCodecPtr()> open_codec_;
    AvCodecPtr codec_;
    AvPacketPtr packet_;
    AVStream* stream_ = nullptr;
    std::vector<Track> tracks_;
    std::shared_ptr<SavedChunks> saved_;
    VideoChunk chunk_;              ///< what the codec has encoded; without packets if nothing is saved
    int first_ = 0;                 ///< frames before the chunk
    int num_chunks_ = 0;            ///< before the chunk
    int num_saved_ = 0;             ///< frames
    std::int64_t num_packets_ = 0;  ///< of the chunk
    std::int64_t dts_ = 0;          ///< of the last packet of the chunk
    bool has_ended_ = false;        ///< the codec must be opened again
};

}  // namespace kinescope
