#pragma once

#include "core/api/model_card.h"
#include "core/api/video_request.h"

namespace kinescope::ui {

/// Suggests the frame for the next condition: the first frame, then the last, then the middle of the longest part
/// without a condition, moved to the start of a latent frame if possible. The defaults of `request` must be filled in.
int nextConditionFrame(const VideoRequest& request, const ModelCard& card);

}  // namespace kinescope::ui
