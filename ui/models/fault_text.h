#pragma once

#include <QString>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// A fault as it stands under its field, and the words of the link that cures it (empty: no cure).
struct FaultText {
    QString message;
    QString cure;
};

FaultText faultText(const Fault& fault, const ModelCard& card);

/// Puts the cure's value into the fault's field. Does nothing when there is none that fits.
void applyCure(VideoRequest& request, const Fault& fault);

}  // namespace kinescope::ui
