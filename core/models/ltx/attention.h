#pragma once

#include "core/models/ltx/config.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/numerics/probe.h"

namespace kinescope::ltx {

/// Attention whose queries and keys are normalized and rotated over all heads together. Inner sites: "to_q", "to_k",
/// "to_v", "product", "to_out.0".
class Attention {
public:
    Attention() = default;
    Attention(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    /// Computes self-attention. `x` is [1, L, D], `rotary` complex64 [L, D / 2]; the result is [1, L, D] in the op's
    /// dtype.
    Tensor attend_self(const Tensor& x, const Tensor& rotary, const OpScope& scope) const;
    /// Computes cross-attention. `text` [1, n, D] contains only the tokens of the prompt, without padding.
    Tensor attend_text(const Tensor& x, const Tensor& text, const OpScope& scope) const;

private:
    std::int64_t num_heads_ = 1;
    Linear to_q_, to_k_, to_v_, to_out_;
    RMSNorm norm_q_, norm_k_;
};

}  // namespace kinescope::ltx
