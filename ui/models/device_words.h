#pragma once

#include <QString>

#include "core/api/doctor_report.h"

namespace kinescope::ui {

/// Why a device cannot compute at all.
QString unusableText(const Sentence& why);

/// What the canary tried: "convolution, fp16 288x96x480x832".
QString probeText(const Sentence& probe);

/// The way around a kernel that fails: "cuDNN off"; empty where there is none.
QString wayText(const Sentence& alternative);

/// What is known of a device and its libraries, and what helps.
QString knownBadText(const KnownBad& known);
QString knownBadCure(const KnownBad& known);

/// "flash", "memory-efficient": as LibTorch calls its attention, in the window's language.
QString attentionName(const std::string& attention);

}  // namespace kinescope::ui
