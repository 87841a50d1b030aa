#include "core/models/svd/transformer_block.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/models/observed_ops.h"

namespace kinescope::svd {

namespace {

constexpr double kLayerNormEps = 1e-5;
constexpr std::int64_t kFeedForwardFactor = 4;

LayerNorm norm_at(const WeightScope& scope, std::int64_t dim, const Precision& precision) {
    return {scope, dim, kLayerNormEps, precision};
}

}  // namespace

GegluFeedForward::GegluFeedForward(const WeightScope& scope, std::string name, std::int64_t dim,
                                   const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      proj_(scope / "net" / 0 / "proj", {.in = dim, .out = 2 * kFeedForwardFactor * dim}, precision),
      out_(scope / "net" / 2, {.in = kFeedForwardFactor * dim, .out = dim}, precision) {}

Tensor GegluFeedForward::operator()(const Tensor& x, const ForwardContext& context) const {
    return observed_op(context, name_, precision_, [&](const auto& op) {
        const auto parts = proj_(x, op).chunk(2, -1);
        return out_(at::gelu(parts[1]).mul_(parts[0]), op);
    });
}

TransformerBlock::TransformerBlock(const WeightScope& scope, const std::string& name,
                                   const TransformerBlockConfig& config, const Precision& precision)
    : norm1_(norm_at(scope / "norm1", config.dim, precision)),
      norm3_(norm_at(scope / "norm3", config.dim, precision)),
      attn1_(scope / "attn1", name + ".attn1", {.dim = config.dim, .num_heads = config.num_heads}, precision),
      attn2_(scope / "attn2", name + ".attn2", config.dim, config.cross_attention_dim, precision),
      ff_(scope / "ff", name + ".ff", config.dim, precision) {
    // norm2 is loaded but not used: it normalizes the queries of attn2, which do not affect the result.
    norm_at(scope / "norm2", config.dim, precision);
    if (config.kind == TransformerBlockConfig::Kind::temporal)
        entry_.emplace(Entry{norm_at(scope / "norm_in", config.dim, precision),
                             GegluFeedForward(scope / "ff_in", name + ".ff_in", config.dim, precision)});
}

Tensor TransformerBlock::forward(const Tensor& x, const Tensor& context_token, const ForwardContext& context) const {
    auto stream = entry_ ? x + entry_->ff(entry_->norm(x), context) : x;
    stream = stream + attn1_(norm1_(stream), context);
    stream = stream + attn2_(context_token, context);
    return stream + ff_(norm3_(stream), context);
}

}  // namespace kinescope::svd
