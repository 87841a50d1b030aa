#pragma once

#include <QString>

#include "core/api/doctor_report.h"

namespace kinescope::ui {

/// The reason why a device can't be used.
QString unusableText(const LocalizableMessage& why);

/// The name of a device check: "convolution, fp16 288x96x480x832".
QString probeText(const LocalizableMessage& probe);

/// The fallback for a failing kernel: "cuDNN disabled"; empty if there is none.
QString fallbackText(const LocalizableMessage& alternative);

/// A known problem of a device or library, and its fix.
QString knownBadText(const KnownBad& known);
QString knownBadFix(const KnownBad& known);

/// The display name of an attention kernel: "standard", "memory-efficient".
QString attentionName(const std::string& attention);

}  // namespace kinescope::ui
