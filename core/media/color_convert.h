#pragma once

#include <optional>

#include "core/api/frame.h"
#include "core/media/av_handles.h"
#include "core/media/background.h"
#include "core/media/hdr_to_sdr.h"

namespace kinescope {

/// Returns how an HDR frame is coded; nullopt for an SDR frame.
std::optional<HdrCoding> hdr_coding(const AVFrame& picture);

/// Returns full range for the RGB and "J" formats, and limited range for others.
AVColorRange color_range_of(AVPixelFormat format);

/// Converts RGB frames to an encoder's pixel format. `matrix`: of YUV formats, usually that of BT.709 (ITU-R BT.709-6,
/// 3.2 to 3.5).
class FrameToPicture {
public:
    FrameToPicture(int width, int height, AVPixelFormat format, AVColorSpace matrix = AVCOL_SPC_BT709);
    /// Converts a frame. The result belongs to the converter and is overwritten by the next call.
    AVFrame& convert(const Frame& frame);

private:
    AvFramePtr rgb_;
    AvFramePtr picture_;
    SwsPtr scaler_;
};

/// Converts decoded frames to RGB with the matrix and range of each frame's tags. Untagged frames have BT.601 up to
/// the sizes of SD television, and BT.709 above. HDR becomes SDR.
class PictureToFrame {
public:
    PictureToFrame(int width, int height, Background background = Background::white);
    /// Converts one frame, and scales it if its size differs. Throws Error(file_unreadable) for a format that swscale
    /// cannot read, and Error(unsupported) for color spaces that it does not know, such as ICtCp and YCgCo.
    Frame convert(const AVFrame& picture);
    /// Returns true if a frame had transparent parts. They show the background.
    bool is_transparent() const { return is_transparent_; }

private:
    Frame opaque_frame();
    void follow(const AVFrame& picture);
    Frame sdr_frame(const HdrCoding& coding);

    AvFramePtr rgb_;
    Background background_;
    bool is_transparent_ = false;
    SwsPtr scaler_;
    std::optional<std::pair<HdrCoding, HdrToSdr>> to_sdr_;
    int source_width_ = 0;
    int source_height_ = 0;
    int source_format_ = AV_PIX_FMT_NONE;
    AVPixelFormat rgb_format_ = AV_PIX_FMT_RGB24;
};

}  // namespace kinescope
