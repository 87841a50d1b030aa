#pragma once

#include <string>

#include "core/device/tensor.h"

namespace kinescope {

/// How far the guard has raised an op above what the policy planned. Each rung costs more and cures more.
enum class Rung {
    planned,  ///< as the policy says
    scaled,   ///< matrix products in the planned dtype on operands divided by a power of two, attention and results
              ///< float32
    float32,  ///< the whole op in float32
};

std::string to_string(Rung rung);

/// Hears what the precision of an op costs, while it runs. Must not wait for the device.
class RoundingListener {
public:
    virtual ~RoundingListener() = default;
    /// Of a part of one product, float32 [4] on its device: the sum of squares of its error against float32, that of
    /// the float32 result, the number of channels that underflow, and the number of channels.
    virtual void hear(const Tensor& row) = 0;
};

/// How one op computes now.
struct OpPrecision {
    Dtype compute = at::kFloat;
    Rung rung = Rung::planned;
    RoundingListener* listener = nullptr;  ///< none: nothing is measured
    bool operator==(const OpPrecision& other) const { return compute == other.compute && rung == other.rung; }
};

/// The op that the policy planned in `compute`, raised to `rung`. What is planned in float32 can still be raised to it:
/// where its weight is int8.
inline OpPrecision raised(Dtype compute, Rung rung) {
    if (rung == Rung::float32) return {at::kFloat, Rung::float32};
    return {compute, compute == at::kFloat ? Rung::planned : rung};
}

}  // namespace kinescope
