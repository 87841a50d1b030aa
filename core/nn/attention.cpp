#include "core/nn/attention.h"

#include <ATen/ATen.h>

namespace kinescope {

Tensor scaled_dot_product_attention(const AttentionInput& input, const OpPrecision& op) {
    const auto compute = op.rung == Rung::scaled ? at::kFloat : op.compute;
    std::optional<Tensor> bias;
    if (input.bias.defined()) bias = input.bias.to(compute);
    return at::scaled_dot_product_attention(input.query.to(compute), input.key.to(compute), input.value.to(compute),
                                            bias,
                                            /*dropout_p=*/0.0, /*is_causal=*/false, input.scale);
}

Tensor split_heads(const Tensor& x, std::int64_t num_heads) {
    return x.unflatten(-1, {num_heads, -1}).transpose(1, 2);
}

Tensor merge_heads(const Tensor& x) {
    return x.transpose(1, 2).flatten(2);
}

}  // namespace kinescope
