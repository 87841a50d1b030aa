#pragma once

#include <QString>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// The message below an invalid field, and the label of the link that fixes it (empty: no fix).
struct FaultText {
    QString message;
    QString fix;
    QString detail;  ///< the engine's message in English
};

/// Derives the text from the field, the request and the card; the engine's message is only the detail.
FaultText faultText(const Fault& fault, const VideoRequest& request, const ModelCard& card);

/// Sets the field to the suggested value. Does nothing if there is no suitable suggestion.
void applyFix(VideoRequest& request, const Fault& fault);

}  // namespace kinescope::ui
