#pragma once

#include <vector>

#include "core/numerics/precision_overrides.h"

namespace kinescope {

/// What runs of one model on one device had to raise, kept from run to run.
class OverrideMemory {
public:
    virtual ~OverrideMemory() = default;
    virtual std::vector<PrecisionOverride> recall() const = 0;
    /// Everything that a finished run had raised. Failing to keep it is no failure of the run.
    virtual void keep(const std::vector<PrecisionOverride>& overrides) = 0;
};

}  // namespace kinescope
