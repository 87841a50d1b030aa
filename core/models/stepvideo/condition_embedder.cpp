#include "core/models/stepvideo/condition_embedder.h"

#include <ATen/ATen.h>

#include "core/nn/norm.h"
#include "core/nn/parameter.h"

namespace kinescope::stepvideo {

namespace {

constexpr std::int64_t kFrequencies = 256;
constexpr double kTimeScale = 1000.0;
constexpr double kCaptionNormEps = 1e-6;

}  // namespace

ConditionEmbedder::ConditionEmbedder(const WeightScope& scope, const TransformerConfig& config,
                                     const Precision& precision)
    : precision_(precision),
      timestep_embedder_(scope / "adaln_single" / "emb" / "timestep_embedder", kFrequencies, config.dim(), precision),
      adaln_linear_(scope / "adaln_single" / "linear", {.in = config.dim(), .out = 6 * config.dim()},
                    float32_compute(precision)),
      caption_linear_1_(scope / "caption_projection" / "linear_1",
                        {.in = config.caption_channels[0], .out = config.dim()}, precision),
      caption_linear_2_(scope / "caption_projection" / "linear_2", {.in = config.dim(), .out = config.dim()},
                        precision),
      clip_projection_(scope / "clip_projection", {.in = config.caption_channels[1], .out = config.dim()}, precision) {}

TimeCondition ConditionEmbedder::time(double timestep, const ForwardContext& context) const {
    const auto temb = timestep_embedder_(timestep * kTimeScale);
    const auto modulation = adaln_linear_(at::silu(temb)).unflatten(-1, {6, -1});
    context.observe("adaln_single", modulation);
    return {temb, modulation};
}

Tensor ConditionEmbedder::texts(const Tensor& clip, const Tensor& llm, const ForwardContext& context) const {
    const auto clip_op = context.op("clip_projection", precision_);
    const auto projected = clip_projection_(clip.to(precision_.device), clip_op).to(at::kFloat);
    context.observe("clip_projection", projected, clip_op);
    const auto llm_op = context.op("caption_projection", precision_);
    const auto hidden = caption_linear_1_(layer_norm(llm.to(precision_.device), kCaptionNormEps), llm_op);
    const auto captions = caption_linear_2_(at::gelu(hidden, "tanh"), llm_op).to(at::kFloat);
    context.observe("caption_projection", captions, llm_op);
    return at::cat({projected, captions}, 1);
}

}  // namespace kinescope::stepvideo
