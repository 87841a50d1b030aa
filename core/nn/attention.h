#pragma once

#include <cstdint>
#include <optional>

#include "core/device/tensor.h"

namespace kinescope {

struct AttentionInput {
    Tensor query;                 ///< [B, H, Lq, D], any dtype
    Tensor key;                   ///< [B, H, Lk, D]
    Tensor value;                 ///< [B, H, Lk, D]
    Tensor bias;                  ///< added to the scores, broadcast to [B, H, Lq, Lk]; undefined: none
    std::optional<double> scale;  ///< of the scores; unset: 1 / sqrt(D)
};

/// softmax(q k^T scale + bias) v in `compute`, accumulated in float32. Returns [B, H, Lq, D] in `compute`.
Tensor scaled_dot_product_attention(const AttentionInput& input, Dtype compute);

/// [B, L, H D] -> [B, H, L, D], a view.
Tensor split_heads(const Tensor& x, std::int64_t num_heads);
/// [B, H, L, D] -> [B, L, H D].
Tensor merge_heads(const Tensor& x);

}  // namespace kinescope
