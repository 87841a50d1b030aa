#include "core/nn/attention.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/device/fast_paths.h"
#include "core/device/mps_policy.h"
#include "core/nn/cpu/flash_attention.h"
#include "core/nn/rounding.h"

namespace kinescope {

Tensor attention_in_blocks(const AttentionInput& input, std::int64_t max_rows) {
    const auto rows = input.query.size(-2);
    const auto attend = [&](const Tensor& query, const std::optional<Tensor>& bias) {
        return at::scaled_dot_product_attention(query, input.key, input.value, bias, /*dropout_p=*/0.0,
                                                /*is_causal=*/false, input.scale);
    };
    const auto bias = input.bias.defined() ? std::optional(input.bias) : std::nullopt;
    if (max_rows == 0 || rows <= max_rows) return attend(input.query, bias);
    std::vector<Tensor> blocks;
    for (std::int64_t begin = 0; begin < rows; begin += max_rows) {
        const auto count = std::min(max_rows, rows - begin);
        const bool has_rows = bias && bias->size(-2) == rows;
        blocks.push_back(attend(input.query.narrow(-2, begin, count),
                                has_rows ? std::optional(bias->narrow(-2, begin, count)) : bias));
    }
    return at::cat(blocks, -2);
}

Tensor scaled_dot_product_attention(const AttentionInput& input, const OpPrecision& op) {
    const auto compute = op.level == PrecisionLevel::scaled ? at::kFloat : op.compute;
    const AttentionInput cast{.query = input.query.to(compute),
                              .key = input.key.to(compute),
                              .value = input.value.to(compute),
                              .bias = input.bias.defined() ? input.bias.to(compute) : Tensor(),
                              .scale = input.scale};
    if (!cast.bias.defined() && takes_flash_attention(cast.query, cast.key, cast.value))
        return flash_attention(cast.query, cast.key, cast.value,
                               cast.scale.value_or(1 / std::sqrt(static_cast<double>(cast.query.size(-1)))));
    Tensor result;
    if (!cast.bias.defined()) result = cudnn_attention({cast.query, cast.key, cast.value, cast.scale});
    if (!result.defined()) result = attention_in_blocks(cast, max_attention_rows(cast.query.device()));
    measure_attention(op, input, result);
    return result;
}

Tensor split_heads(const Tensor& x, std::int64_t num_heads) {
    return x.unflatten(-1, {num_heads, -1}).transpose(1, 2);
}

Tensor merge_heads(const Tensor& x) {
    return x.transpose(1, 2).flatten(2);
}

}  // namespace kinescope
