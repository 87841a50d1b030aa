#pragma once

#include "core/api/model_card.h"
#include "core/api/video_request.h"

namespace kinescope::ui {

/// A frame for the next condition image: the first, then the last, then the middle of the longest part without an
/// image, at the start of a latent frame if possible. `request` must have its defaults filled in.
int nextConditionFrame(const VideoRequest& request, const ModelCard& card);

}  // namespace kinescope::ui
