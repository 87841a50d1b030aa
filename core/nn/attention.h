#pragma once

#include <cstdint>
#include <optional>

#include "core/device/op_precision.h"

namespace kinescope {

struct AttentionInput {
    Tensor query;                 ///< [B, H, Lq, D], any dtype
    Tensor key;                   ///< [B, H, Lk, D]
    Tensor value;                 ///< [B, H, Lk, D]
    Tensor bias;                  ///< added to the scores, broadcast to [B, H, Lq, Lk]; undefined if there is none
    std::optional<double> scale;  ///< scale of the scores; unset: 1 / sqrt(D)
};

/// LibTorch's attention over at most `max_rows` queries at a time; 0: all at once. Every block sees all keys, so the
/// blocks do not change the result.
Tensor attention_in_blocks(const AttentionInput& input, std::int64_t max_rows);

/// softmax(q k^T * scale + bias) v with float32 accumulation, [B, H, Lq, D]. Computes in OpPrecision::compute and
/// returns this dtype; on the scaled level, both are float32.
Tensor scaled_dot_product_attention(const AttentionInput& input, const OpPrecision& op);

/// Splits the heads: [B, L, H * D] -> [B, H, L, D]. Returns a view.
Tensor split_heads(const Tensor& x, std::int64_t num_heads);
/// Merges the heads: [B, H, L, D] -> [B, L, H * D].
Tensor merge_heads(const Tensor& x);

}  // namespace kinescope
