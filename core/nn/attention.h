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

/// Computes LibTorch's attention for at most `max_rows` queries at a time, or for all queries if `max_rows` is 0. Every
/// block of queries sees all keys, so the result does not depend on `max_rows`.
Tensor attention_in_blocks(const AttentionInput& input, std::int64_t max_rows);

/// Returns softmax(q k^T * scale + bias) v, [B, H, Lq, D], with float32 accumulation. Computes in OpPrecision::compute
/// and returns this dtype. On the scaled level, computes in float32 and returns float32.
Tensor scaled_dot_product_attention(const AttentionInput& input, const OpPrecision& op);

/// Splits the channels into heads: [B, L, H * D] -> [B, H, L, D]. Returns a view.
Tensor split_heads(const Tensor& x, std::int64_t num_heads);
/// Merges the heads into channels: [B, H, L, D] -> [B, L, H * D].
Tensor merge_heads(const Tensor& x);

}  // namespace kinescope
