#pragma once

#include <string>

#include "core/numerics/probe.h"

namespace kinescope::svd {

/// Runs one op at its site, as planned or as the guard raised it, and shows the probe what came out.
/// `compute`: OpPrecision -> Tensor.
template <class Compute>
Tensor watched(const ForwardContext& context, const std::string& site, const Precision& planned,
               const Compute& compute) {
    const auto op = context.op(site, planned);
    const Tensor value = compute(op);
    context.observe(site, value, op);
    return value;
}

}  // namespace kinescope::svd
