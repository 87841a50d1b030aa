#pragma once

#include <vector>

#include "core/device/compute_policy.h"
#include "core/numerics/precision_overrides.h"

namespace kinescope {

/// Saves overrides (records of raised ops) of one model on one device for later runs. An override applies only to the
/// precision in which it was learned, because values that overflow in float16 do not overflow in float32.
class OverrideMemory {
public:
    virtual ~OverrideMemory() = default;
    /// Returns the overrides learned in the precision that `policy` plans for their component.
    virtual std::vector<PrecisionOverride> recall(const ComputePolicy& policy) const = 0;
    /// Saves the overrides of a finished run under `policy`. A failed write does not fail the run.
    virtual void keep(const std::vector<PrecisionOverride>& overrides, const ComputePolicy& policy) = 0;
};

}  // namespace kinescope
