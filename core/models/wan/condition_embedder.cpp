#include "core/models/wan/condition_embedder.h"

#include <ATen/ATen.h>

#include "core/nn/parameter.h"

namespace kinescope::wan {

ConditionEmbedder::ConditionEmbedder(const WeightScope& scope, const TransformerConfig& config,
                                     const Precision& precision)
    : time_embedder_(scope / "time_embedder", config.freq_dim, config.dim(), precision),
      time_proj_(scope / "time_proj", {.in = config.dim(), .out = 6 * config.dim()}, float32_compute(precision)),
      text_linear_1_(scope / "text_embedder" / "linear_1", {.in = config.text_dim, .out = config.dim()}, precision),
      text_linear_2_(scope / "text_embedder" / "linear_2", {.in = config.dim(), .out = config.dim()}, precision) {}

TimeCondition ConditionEmbedder::time(double timestep) const {
    const auto temb = time_embedder_(timestep);
    return {temb, time_proj_(at::silu(temb)).unflatten(-1, {6, -1})};
}

Tensor ConditionEmbedder::text(const Tensor& prompt_embeds, const OpPrecision& op) const {
    return text_linear_2_(at::gelu(text_linear_1_(prompt_embeds, op), "tanh"), op);
}

}  // namespace kinescope::wan
