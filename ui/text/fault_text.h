#pragma once

#include <QString>
#include <string>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// The message below an invalid field, and the label of the link that fixes it. An empty label means that there is no
/// fix.
struct FaultText {
    QString message;
    QString fix;
    QString detail;  ///< the engine's message in English
};

/// Returns the text for a fault, derived from its field, the request and the model card. The engine's message becomes
/// only the detail.
FaultText faultText(const Fault& fault, const VideoRequest& request, const ModelCard& card);

/// Returns a warning about a prompt whose alternatives are probably mistyped; otherwise an empty string.
QString alternativesWarning(const std::string& prompt);

/// Sets the field to the suggested value. Does nothing if there is no suggestion that fits.
void applyFix(VideoRequest& request, const Fault& fault);

}  // namespace kinescope::ui
