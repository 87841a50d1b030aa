#include "core/models/svd/attention.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/models/observed_ops.h"
#include "core/nn/attention.h"

namespace kinescope::svd {

namespace {

/// Raises an op that has a float32 operand: if the guard raised that operand, its values may exceed the range of the
/// planned dtype.
OpPrecision following(OpPrecision op, const std::vector<Tensor>& operands) {
    const bool is_raised = std::any_of(operands.begin(), operands.end(),
                                       [](const Tensor& operand) { return operand.scalar_type() == at::kFloat; });
    if (is_raised && op.compute != at::kFloat) op.level = PrecisionLevel::scaled;
    return op;
}

}  // namespace

SelfAttention::SelfAttention(const WeightScope& scope, std::string name, const AttentionConfig& config,
                             const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      num_heads_(config.num_heads),
      to_q_(scope / "to_q", {.in = config.dim, .out = config.dim, .bias = config.bias}, precision),
      to_k_(scope / "to_k", {.in = config.dim, .out = config.dim, .bias = config.bias}, precision),
      to_v_(scope / "to_v", {.in = config.dim, .out = config.dim, .bias = config.bias}, precision),
      to_out_(scope / "to_out" / 0, {.in = config.dim, .out = config.dim}, precision) {}

Tensor SelfAttention::operator()(const Tensor& x, const ForwardContext& context) const {
    const auto project = [&](const char* part, const Linear& linear) {
        return observed_op(
            context, name_ + part, precision_, [&](const auto& op) { return linear(x, op); }, SiteKind::attention);
    };
    const auto q = project(".to_q", to_q_), k = project(".to_k", to_k_), v = project(".to_v", to_v_);
    const auto op = following(context.op(name_, precision_), {q, k, v});
    const auto attended = scaled_dot_product_attention({.query = split_heads(q, num_heads_),
                                                        .key = split_heads(k, num_heads_),
                                                        .value = split_heads(v, num_heads_),
                                                        .bias = {},
                                                        .scale = {}},
                                                       op);
    const auto out = to_out_(merge_heads(attended), op);
    context.observe(name_, out, op, SiteKind::attention);
    return out;
}

CrossAttention::CrossAttention(const WeightScope& scope, std::string name, std::int64_t dim, std::int64_t context_dim,
                               const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      to_v_(scope / "to_v", {.in = context_dim, .out = dim, .bias = Bias::none}, precision),
      to_out_(scope / "to_out" / 0, {.in = dim, .out = dim}, precision) {
    (scope / "to_q").take("weight", {dim, dim});
    (scope / "to_k").take("weight", {dim, context_dim});
}

Tensor CrossAttention::operator()(const Tensor& context_token, const ForwardContext& context) const {
    return observed_op(
        context, name_, precision_, [&](const auto& op) { return to_out_(to_v_(context_token, op), op); },
        SiteKind::attention);
}

}  // namespace kinescope::svd
