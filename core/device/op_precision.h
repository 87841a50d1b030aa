#pragma once

#include "core/api/compute_precision.h"
#include "core/device/device_clock.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Receives the rounding error of an op's products while the op runs. Must not wait for the device.
class RoundingListener {
public:
    virtual ~RoundingListener() = default;
    /// `row` is float32 [4] on the op's device, measured on a part of one product: the sum of squares of its error
    /// against float32, the sum of squares of the float32 result, the number of channels that underflow, and the number
    /// of channels. In a row with 0 channels, the error is the one that the rounding of other ops causes in the result.
    virtual void on_rounding(const Tensor& row) = 0;
    /// Receives the moments in which a measurement began and ended on the op's device.
    virtual void on_measured(DeviceMoment /*begin*/, DeviceMoment /*end*/) {}
};

/// The precision in which one op currently computes.
struct OpPrecision {
    Dtype compute = at::kFloat;
    PrecisionLevel level = PrecisionLevel::planned;
    RoundingListener* listener = nullptr;  ///< null: rounding is not measured
    bool operator==(const OpPrecision& other) const { return compute == other.compute && level == other.level; }
};

/// Converts to the type that logs and events use.
ComputePrecision compute_precision(const OpPrecision& op);

/// Returns the precision of an op planned in `compute` and raised to `level`. An op planned in float32 can still be
/// raised to float32, because its weight may be int8.
inline OpPrecision raised(Dtype compute, PrecisionLevel level) {
    if (level == PrecisionLevel::float32) return {at::kFloat, PrecisionLevel::float32};
    return {compute, compute == at::kFloat ? PrecisionLevel::planned : level};
}

}  // namespace kinescope
