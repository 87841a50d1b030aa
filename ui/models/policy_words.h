#pragma once

#include <QString>

#include "core/api/device_info.h"
#include "core/api/policy_summary.h"

namespace kinescope::ui {

/// Why a part of the model runs as it does, in the window's language: told by what was asked for and what runs. The
/// engine's own line, `reason`, says more, in English.
QString policySentence(const ComponentPolicy& part);

/// Why a device computes in what it does; empty where it does not compute.
QString deviceSentence(const DeviceInfo& device);

}  // namespace kinescope::ui
