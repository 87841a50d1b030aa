#pragma once

#include <string>

#include "core/nn/attention.h"
#include "core/nn/linear.h"
#include "core/nn/modulation.h"
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

/// A sum whose statistics (see stat_row) are known, or undefined.
struct ObservedSum {
    Tensor value;
    Tensor row;
};
/// Returns x + update * gate, and reports the update, which was computed at `seen.site` in `seen.op`, to the probe. A
/// fused kernel computes the statistics of both with the sum. An undefined gate stands for 1.
ObservedSum add_observed(const Tensor& x, const Tensor& update, const TokenRows& gate, const OpScope& seen);

/// A sum and the norm of it.
struct NormedSum {
    Tensor value;
    Tensor normed;
};
/// Returns the value of add_observed and the norm of it. A fused kernel may compute both in one pass over memory.
NormedSum add_observed_and_norm(const Tensor& x, const Tensor& update, const TokenRows& gate, const FollowingNorm& norm,
                                const OpScope& seen);

/// Reports a sum, e.g. the stream after a block, to the probe.
inline void observe(const std::string& site, const ObservedSum& sum, const ForwardContext& context) {
    context.observe(site, sum.value, {.compute = sum.value.scalar_type()}, SiteKind::block, sum.row);
}

/// Computes scaled dot-product attention, and reports the result and its shadow check at the inner site "product".
Tensor observed_attention(const AttentionInput& input, const OpScope& scope);

}  // namespace kinescope
