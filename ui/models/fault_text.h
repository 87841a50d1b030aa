#pragma once

#include <QString>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// A fault as it stands under its field, and the words of the link that cures it (empty: no cure).
struct FaultText {
    QString message;
    QString cure;
    QString detail;  ///< the engine's own line, in English
};

/// What is wrong is told by the field and by what the request and the card hold: the engine's line is not read.
FaultText faultText(const Fault& fault, const VideoRequest& request, const ModelCard& card);

/// Puts the cure's value into the fault's field. Does nothing when there is none that fits.
void applyCure(VideoRequest& request, const Fault& fault);

}  // namespace kinescope::ui
