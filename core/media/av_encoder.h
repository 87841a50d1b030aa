#pragma once

#include "core/media/av_handles.h"
#include "core/media/container.h"
#include "core/media/frame_sink.h"
#include "core/media/pending_file.h"
#include "core/media/sound_track.h"

namespace kinescope {

/// One video stream that libav encodes and muxes into a PendingFile, with the sound of SinkOptions. The same frames
/// produce the same bytes.
class AvEncoder {
public:
    /// `file` must outlive the encoder. Throws Error(codec_missing, bad_request, disk_full, encode_failed).
    AvEncoder(PendingFile& file, const SinkOptions& options, const Container& container);

    /// Returns the pixel format that encode() expects.
    AVPixelFormat pixel_format() const { return codec_->pix_fmt; }
    int num_frames() const { return num_frames_; }

    /// Encodes one frame. Throws Error(disk_full, encode_failed).
    void encode(AVFrame& picture);
    /// Flushes the encoder and completes the file. Do not call encode() afterwards. Throws like encode().
    void end();

private:
    void add_sound(const SinkOptions& options);
    void mux_sound_until(double seconds);
    double end_seconds() const { return num_frames_ * av_q2d(codec_->time_base); }
    void start_stream(const SinkOptions& options, const Container& container);
    void drain();
    void check(int result, const char* doing) const;

    PendingFile& file_;
    AvIoPtr io_;
    AvOutputPtr muxer_;
    AvCodecPtr codec_;
    AvPacketPtr packet_;
    AVStream* stream_ = nullptr;
    std::shared_ptr<SoundInput> sound_input_;
    std::unique_ptr<SoundTrack> sound_;  ///< null: no sound
    AVStream* sound_stream_ = nullptr;
    double sound_seconds_ = 0;  ///< time of the last packet of the sound
    bool has_sound_ended_ = false;
    int num_frames_ = 0;
};

}  // namespace kinescope
