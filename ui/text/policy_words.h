#pragma once

#include <QString>

#include "core/api/device_info.h"
#include "core/api/policy_summary.h"

namespace kinescope::ui {

/// Returns true if the request leaves the precision of a component to the compute policy.
bool isAutomatic(const ComponentPolicy& part);

/// Returns true if products of this component may be summed in half precision.
bool hasHalfSums(const ComponentPolicy& part);

/// Explains the precision of a component, derived from the requested and the effective precision. `part.reason`
/// contains the engine's longer English text.
QString policyText(const ComponentPolicy& part);

/// Explains the compute precision of a device. Empty if the device can't compute.
QString deviceText(const DeviceInfo& device);

}  // namespace kinescope::ui
