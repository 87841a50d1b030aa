#pragma once

#include <string>

#include "core/nn/attention.h"
#include "core/nn/linear.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// Runs an op at `site` (a named place in the model), in the planned precision or the one that the guard set, and
/// reports the result to the probe. `compute` is a function OpPrecision -> Tensor.
template <class Compute>
Tensor observed_op(const ForwardContext& context, const std::string& site, const Precision& planned,
                   const Compute& compute, SiteKind kind = SiteKind::block) {
    const auto op = context.op(site, planned);
    const Tensor value = compute(op);
    context.observe(site, value, op, kind);
    return value;
}

/// Applies `linear` to `x` and reports the result at the scope's inner site `site`.
Tensor observed_linear(const char* site, const Linear& linear, const Tensor& x, const OpScope& scope);

/// Computes scaled dot-product attention, and reports the result and its shadow check at the inner site "product".
Tensor observed_attention(const AttentionInput& input, const OpScope& scope);

}  // namespace kinescope
