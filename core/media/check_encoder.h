#pragma once

#include "core/api/video_request.h"

namespace kinescope {

/// Throws Error(codec_missing) if the encoder that the request names does not exist or does not fit the format of the
/// file, which is .mp4 if the file has no name yet, and Error(bad_request) if the encoder does not take the crf.
void check_encoder(const OutputRequest& output);

}  // namespace kinescope
