#pragma once

#include "core/media/av_handles.h"
#include "core/media/container.h"
#include "core/media/frame_sink.h"

namespace kinescope {

/// Returns the requested encoder, or the container's default if `name` is empty. Throws Error(codec_missing), which
/// lists the available encoders for the container.
const AVCodec& find_encoder(const std::string& name, const Container& container, const AVOutputFormat& muxer);

/// Returns yuv420p (MJPEG: yuvj420p) if the encoder supports it, because every player does. For other encoders, and for
/// those without loss, returns the format that loses least of an RGB image: bgr0 for FFV1.
AVPixelFormat choose_pixel_format(const AVCodec& encoder);

/// Opens an encoder with Kinescope's quality settings. Throws Error(bad_request) if the pixel format does not support
/// the size or the encoder does not take the crf, and Error(encode_failed) if the encoder rejects the settings.
AvCodecPtr open_encoder(const AVCodec& encoder, const SinkOptions& options, const AVOutputFormat& muxer);

}  // namespace kinescope
