#pragma once

#include <string>
#include <vector>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// Advice about a value that is valid but far from what the model was trained with.
enum class HintCode {
    largeFrame,    ///< much larger than every size that the model offers
    smallFrame,    ///< much smaller
    otherShape,    ///< much wider or taller
    longVideo,     ///< many more frames than the model's default
    shortVideo,    ///< far fewer
    fastPlayback,  ///< a much higher frame rate
    slowPlayback,
    fewSteps,
    highGuidance,
};

struct RequestHint {
    std::string field = {};  ///< key of the request, or "size"
    HintCode code = HintCode::fewSteps;
    Size size = {};  ///< suggestion for "size"
    int value = 0;   ///< suggestion for other fields; 0: none
};

/// Returns the hints in the order of the form. The defaults of `request` must be filled in. Pure function.
std::vector<RequestHint> requestHints(const VideoRequest& request, const ModelCard& card);

/// Sets the field to the suggested value.
void applyHint(VideoRequest& request, const RequestHint& hint);

/// Returns the valid number of frames that is nearest to `frames`.
int nearestFrames(int frames, const ModelCard& card);

}  // namespace kinescope::ui
