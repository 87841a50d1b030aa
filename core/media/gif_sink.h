#pragma once

#include "core/media/av_encoder.h"
#include "core/media/frame_sink.h"
#include "core/media/palette.h"

namespace kinescope {

/// Writes a GIF with one palette for all frames. The palette depends on every frame, so a temporary file next to the
/// output collects the frames before they are encoded.
class GifSink : public FrameSink {
public:
    GifSink(const SinkOptions& options, const Container& container);
    ~GifSink() override;
    void write(const Frame& frame) override;
    std::filesystem::path finish() override;
    const std::filesystem::path& temporary() const override { return file_.temporary(); }

private:
    void encode_frames();

    SinkOptions options_;
    PendingFile file_;
    AvEncoder encoder_;
    PendingFile waiting_;  ///< raw RGB frames; never committed
    ColorHistogram histogram_;
    int num_frames_ = 0;
};

}  // namespace kinescope
