#pragma once

#include "core/media/av_encoder.h"
#include "core/media/color_convert.h"
#include "core/media/frame_sink.h"

namespace kinescope {

/// Writes MP4, MOV, MKV and WebM. Needs memory only for one frame and the encoder's lookahead, regardless of the
/// video's length.
class VideoSink : public FrameSink {
public:
    VideoSink(const SinkOptions& options, const Container& container);
    void write(const Frame& frame) override;
    std::filesystem::path finish() override;
    const std::filesystem::path& temporary() const override { return file_.temporary(); }
    int num_saved() const override { return encoder_.num_saved(); }

private:
    PendingFile file_;
    AvEncoder encoder_;
    FrameToPicture to_picture_;
    int width_;
    int height_;
};

}  // namespace kinescope
