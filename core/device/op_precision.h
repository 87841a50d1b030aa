#pragma once

#include "core/api/compute_precision.h"
#include "core/device/device_clock.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Receives the rounding error of an op's products while the op runs. Must not wait for the device.
class RoundingListener {
public:
    virtual ~RoundingListener() = default;
    /// `row` is float32 [5] on the op's device, measured on a part of one product: the sum of squares of its error
    /// against float32, the sum of squares of the float32 result, the number of channels that underflow, the number of
    /// channels, and the part of the error that raising the op does not remove, because it comes from rounding before
    /// the op. In a row with 0 channels, all of the error does, and the last value is 0.
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
