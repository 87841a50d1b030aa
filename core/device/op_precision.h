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

/// How one op computes now.
struct OpPrecision {
    Dtype compute = at::kFloat;
    Rung rung = Rung::planned;
    bool operator==(const OpPrecision&) const = default;
};

/// The op that the policy planned in `compute`, raised to `rung`; float32 is as high as it gets.
inline OpPrecision raised(Dtype compute, Rung rung) {
    const bool is_float32 = compute == at::kFloat || rung == Rung::float32;
    return is_float32 ? OpPrecision{at::kFloat, Rung::planned} : OpPrecision{compute, rung};
}

}  // namespace kinescope
