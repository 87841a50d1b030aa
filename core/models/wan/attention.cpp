#include "core/models/wan/attention.h"

#include <ATen/ATen.h>

#include "core/models/guidance_methods.h"
#include "core/models/observed_ops.h"
#include "core/nn/rounding.h"

namespace kinescope::wan {

Attention::Attention(const WeightScope& scope, const TransformerConfig& config, ImageBranch image,
                     const Precision& precision)
    : num_heads_(config.num_attention_heads),
      to_q_(scope / "to_q", {.in = config.dim(), .out = config.dim()}, precision),
      to_k_(scope / "to_k", {.in = config.dim(), .out = config.dim()}, precision),
      to_v_(scope / "to_v", {.in = config.dim(), .out = config.dim()}, precision),
      to_out_(scope / "to_out" / 0, {.in = config.dim(), .out = config.dim()}, precision),
      norm_q_(scope / "norm_q", config.dim(), config.eps, precision),
      norm_k_(scope / "norm_k", config.dim(), config.eps, precision) {
    if (image == ImageBranch::none) return;
    add_k_proj_ = Linear(scope / "add_k_proj", {.in = config.dim(), .out = config.dim()}, precision);
    add_v_proj_ = Linear(scope / "add_v_proj", {.in = config.dim(), .out = config.dim()}, precision);
    norm_added_k_ = RMSNorm(scope / "norm_added_k", config.dim(), config.eps, precision);
}

Dtype Attention::self_input_dtype(const OpPrecision& op) const {
    const Dtype dtype = to_q_.input_dtype(op);
    const bool agrees = to_k_.input_dtype(op) == dtype && to_v_.input_dtype(op) == dtype;
    return agrees ? dtype : at::ScalarType(at::kFloat);
}

Tensor Attention::attend_self(const Tensor& x, const Tensor& rotary, const OpScope& scope) const {
    const auto rotated = [&](const RMSNorm& norm, const Tensor& heads) {
        return norm.rotated(heads, rotary, operand_dtype(scope.op)).transpose(1, 2);
    };
    const auto attended =
        observed_attention({.query = rotated(norm_q_, observed_linear("to_q", to_q_, x, scope)),
                            .key = rotated(norm_k_, observed_linear("to_k", to_k_, x, scope)),
                            .value = split_heads(observed_linear("to_v", to_v_, x, scope), num_heads_),
                            .bias = {},
                            .scale = {}},
                           scope);
    return observed_linear("to_out.0", to_out_, merge_heads(attended), scope);
}

KeyValue Attention::project_text(const Tensor& text, const OpScope& scope) const {
    const auto key = norm_k_(observed_linear("to_k", to_k_, text, scope));
    return {split_heads(narrowed(key, scope.op), num_heads_),
            split_heads(observed_linear("to_v", to_v_, text, scope), num_heads_)};
}

KeyValue Attention::project_image(const Tensor& image, const OpScope& scope) const {
    if (!image.defined()) return {};
    const auto key = norm_added_k_(observed_linear("add_k_proj", add_k_proj_, image, scope));
    return {split_heads(narrowed(key, scope.op), num_heads_),
            split_heads(observed_linear("add_v_proj", add_v_proj_, image, scope), num_heads_)};
}

Tensor Attention::attend_context(const Tensor& x, const CrossContext& context, const NegativeContext* negative,
                                 const OpScope& scope) const {
    const auto query =
        split_heads(norm_q_(observed_linear("to_q", to_q_, x, scope), operand_dtype(scope.op)), num_heads_);
    const auto attend = [&](const KeyValue& to, const Tensor& bias) {
        return observed_attention({.query = query, .key = to.key, .value = to.value, .bias = bias, .scale = {}}, scope);
    };
    auto attended = merge_heads(attend(context.text, context.key_bias));
    if (negative != nullptr)
        attended = normalized_attention_guidance(attended, merge_heads(attend(negative->text, negative->key_bias)),
                                                 negative->settings);
    if (context.image.key.defined()) attended = attended.to(at::kFloat) + merge_heads(attend(context.image, {}));
    return observed_linear("to_out.0", to_out_, attended, scope);
}

}  // namespace kinescope::wan
