#include "core/nn/attention.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/nn/cpu/flash_attention.h"
#include "core/nn/rounding.h"

namespace kinescope {

Tensor scaled_dot_product_attention(const AttentionInput& input, const OpPrecision& op) {
    const auto compute = op.level == PrecisionLevel::scaled ? at::kFloat : op.compute;
    const auto query = input.query.to(compute), key = input.key.to(compute), value = input.value.to(compute);
    std::optional<Tensor> bias;
    if (input.bias.defined()) bias = input.bias.to(compute);
    if (!bias && takes_flash_attention(query, key, value))
        return flash_attention(query, key, value,
                               input.scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1)))));
    const auto result = at::scaled_dot_product_attention(query, key, value, bias, /*dropout_p=*/0.0,
                                                         /*is_causal=*/false, input.scale);
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
