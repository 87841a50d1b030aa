#pragma once

#include <QString>

#include "core/api/doctor_report.h"

namespace kinescope::ui {

/// Explains why a device can't be used.
QString unusableText(const LocalizableMessage& why);

/// Returns the name of a device check: "convolution, fp16 288x96x480x832".
QString probeText(const LocalizableMessage& probe);

/// Returns what Kinescope uses instead of a failing kernel, such as "cuDNN disabled". Returns an empty text if there is
/// no fallback.
QString fallbackText(const std::vector<CanaryFallback>& fallbacks);

/// Describes a known problem of a device or library, and its fix.
QString knownBadText(const KnownBad& known);
QString knownBadFix(const KnownBad& known);

/// Returns the display name of an attention kernel: "standard", "memory-efficient".
QString attentionName(const std::string& attention);

}  // namespace kinescope::ui
