#pragma once

#include "core/media/av_handles.h"
#include "core/media/container.h"
#include "core/media/frame_sink.h"

namespace kinescope {

/// The encoder that the request names, or the container's own. Throws Error(codec_missing) that names those that exist
/// and fit.
const AVCodec& find_encoder(const std::string& name, const Container& container, const AVOutputFormat& muxer);

/// yuv420p where the encoder takes it (every player does), else what loses least of an RGB picture.
AVPixelFormat choose_pixel_format(const AVCodec& encoder);

/// An opened encoder with the house's quality settings. Throws Error(bad_request) for a size that the pixel format
/// cannot have or a crf that the encoder does not know, Error(encode_failed) when it refuses the settings.
AvCodecPtr open_encoder(const AVCodec& encoder, const SinkOptions& options, const AVOutputFormat& muxer);

}  // namespace kinescope
