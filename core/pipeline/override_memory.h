#pragma once

#include <vector>

#include "core/device/compute_policy.h"
#include "core/numerics/precision_overrides.h"

namespace kinescope {

/// What runs of one model on one device had to raise, kept from run to run. An override applies only to the precision
/// that it was learned in: what overflows in float16 does not in float32.
class OverrideMemory {
public:
    virtual ~OverrideMemory() = default;
    /// Those that were learned in the precision that `policy` plans for their component.
    virtual std::vector<PrecisionOverride> recall(const ComputePolicy& policy) const = 0;
    /// Everything that a finished run under `policy` had raised. A failure to write it does not fail the run.
    virtual void keep(const std::vector<PrecisionOverride>& overrides, const ComputePolicy& policy) = 0;
};

}  // namespace kinescope
