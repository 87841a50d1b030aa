#pragma once

#include <QString>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/model_catalog.h"

namespace kinescope::ui {

/// Returns what this computer can do with the model and settings of a plan: "NVIDIA GeForce RTX 4090 · bf16 · 832 × 480
/// · 81 frames (5.1 s) · 9.1 GiB of 24.0 GiB memory · about 4:10". Empty if `devices` does not contain the plan's
/// device.
QString abilityLine(const Plan& plan, const std::vector<DeviceInfo>& devices);

}  // namespace kinescope::ui
