#pragma once

#include "core/api/frame.h"
#include "core/media/av_handles.h"

namespace kinescope {

/// Limited range, or full range for the RGB and "J" formats.
AVColorRange color_range_of(AVPixelFormat format);

/// RGB frames to an encoder's pictures. YUV formats get the BT.709 matrix (ITU-R BT.709-6, 3.2 to 3.5), not swscale's
/// default of BT.601.
class FrameToPicture {
public:
    FrameToPicture(int width, int height, AVPixelFormat format);
    /// The picture belongs to the converter and is overwritten by the next call.
    AVFrame& convert(const Frame& frame);

private:
    AvFramePtr rgb_;
    AvFramePtr picture_;
    SwsPtr scaler_;
};

/// A decoder's pictures to RGB frames, by the matrix and range that each picture is tagged with; BT.709 if untagged.
class PictureToFrame {
public:
    PictureToFrame(int width, int height);
    /// Scales a picture of another size. Throws Error(file_unreadable) for a format that swscale cannot read.
    Frame convert(const AVFrame& picture);

private:
    void follow(const AVFrame& picture);

    AvFramePtr rgb_;
    SwsPtr scaler_;
    int source_width_ = 0;
    int source_height_ = 0;
    int source_format_ = AV_PIX_FMT_NONE;
};

}  // namespace kinescope
