#pragma once

#include "core/models/wan/config.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"

namespace kinescope::wan {

struct KeyValue {
    Tensor key;    ///< [1, H, n, D], normalised
    Tensor value;  ///< [1, H, n, D]
};

/// Attention of Wan: queries and keys are normalised over all heads together, before the heads are split.
class Attention {
public:
    Attention() = default;
    Attention(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    /// Tokens attend to each other; `rotary` [L, head_dim / 2] turns queries and keys. [1, L, D] -> [1, L, D].
    Tensor attend_self(const Tensor& x, const Tensor& rotary, const OpPrecision& op) const;
    /// Keys and values of a text: they do not change between steps.
    KeyValue project_text(const Tensor& text, const OpPrecision& op) const;
    /// Tokens attend to a text; `key_bias` may be undefined.
    Tensor attend_text(const Tensor& x, const KeyValue& text, const Tensor& key_bias, const OpPrecision& op) const;

private:
    Tensor rotated(const Tensor& normalised, const Tensor& rotary) const;

    std::int64_t num_heads_ = 1;
    Linear to_q_, to_k_, to_v_, to_out_;
    RMSNorm norm_q_, norm_k_;
};

}  // namespace kinescope::wan
