#include "core/models/wan/condition_embedder.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/nn/parameter.h"

namespace kinescope::wan {

namespace {

/// Epsilon of the norms of the image branch. The transformer's eps does not apply to them.
constexpr double kImageEps = 1e-5;

}  // namespace

ImageEmbedder::ImageEmbedder(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : norm1_(scope / "norm1", config.image_dim, kImageEps, precision),
      norm2_(scope / "norm2", config.dim(), kImageEps, precision),
      proj_(scope / "ff" / "net" / 0 / "proj", {.in = config.image_dim, .out = config.image_dim}, precision),
      out_(scope / "ff" / "net" / 2, {.in = config.image_dim, .out = config.dim()}, precision) {
    if (config.pos_embed_seq_len > 0)
        pos_embed_ = to_float32(scope.take("pos_embed", {1, config.pos_embed_seq_len, config.image_dim}), precision);
}

Tensor ImageEmbedder::operator()(const Tensor& image_embeds, const OpPrecision& op) const {
    auto x = image_embeds.to(at::kFloat).reshape({1, -1, image_embeds.size(-1)});
    if (pos_embed_.defined()) {
        if (pos_embed_.size(1) != x.size(1))
            throw Error(ErrorCode::bad_request,
                        "The images have " + std::to_string(x.size(1)) + " tokens, but this model has positions for " +
                            std::to_string(pos_embed_.size(1)) + "; it needs a first and a last frame");
        x = x + pos_embed_;
    }
    return norm2_(out_(at::gelu(proj_(norm1_(x), op), "none"), op));
}

ConditionEmbedder::ConditionEmbedder(const WeightScope& scope, const TransformerConfig& config,
                                     const Precision& precision)
    : time_embedder_(scope / "time_embedder", config.freq_dim, config.dim(), precision),
      time_proj_(scope / "time_proj", {.in = config.dim(), .out = 6 * config.dim()}, float32_compute(precision)),
      text_linear_1_(scope / "text_embedder" / "linear_1", {.in = config.text_dim, .out = config.dim()}, precision),
      text_linear_2_(scope / "text_embedder" / "linear_2", {.in = config.dim(), .out = config.dim()}, precision) {
    if (config.has_image_branch()) image_embedder_ = ImageEmbedder(scope / "image_embedder", config, precision);
}

TimeCondition ConditionEmbedder::time(const std::vector<double>& timesteps) const {
    std::vector<Tensor> rows;
    for (const double timestep : timesteps) rows.push_back(time_embedder_(timestep));
    const auto temb = at::cat(rows);
    return {temb, time_proj_(at::silu(temb)).unflatten(-1, {6, -1})};
}

Tensor ConditionEmbedder::text(const Tensor& prompt_embeds, const OpPrecision& op) const {
    return text_linear_2_(at::gelu(text_linear_1_(prompt_embeds, op), "tanh"), op);
}

}  // namespace kinescope::wan
