#include "core/models/svd/spatio_temporal_transformer.h"

#include <ATen/ATen.h>

#include <numeric>
#include <utility>

#include "core/models/observed_ops.h"
#include "core/models/svd/res_block.h"

namespace kinescope::svd {

namespace {

std::vector<TransformerBlock> make_blocks(const WeightScope& scope, const std::string& name,
                                          const SpatioTemporalTransformerConfig& config,
                                          TransformerBlockConfig::Kind kind, const Precision& precision) {
    std::vector<TransformerBlock> blocks;
    for (std::int64_t i = 0; i < config.num_layers; ++i)
        blocks.emplace_back(scope / i, name + "." + std::to_string(i),
                            TransformerBlockConfig{.dim = config.channels,
                                                   .num_heads = config.num_heads,
                                                   .cross_attention_dim = config.cross_attention_dim,
                                                   .kind = kind},
                            precision);
    return blocks;
}

}  // namespace

SpatioTemporalTransformer::SpatioTemporalTransformer(const WeightScope& scope, std::string name,
                                                     const SpatioTemporalTransformerConfig& config,
                                                     const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      channels_(config.channels),
      norm_(scope / "norm", {.channels = config.channels, .groups = kNormGroups, .eps = 1e-6}, precision),
      proj_in_(scope / "proj_in", {.in = config.channels, .out = config.channels}, precision),
      spatial_blocks_(make_blocks(scope / "transformer_blocks", name_ + ".transformer_blocks", config,
                                  TransformerBlockConfig::Kind::spatial, precision)),
      temporal_blocks_(make_blocks(scope / "temporal_transformer_blocks", name_ + ".temporal_transformer_blocks",
                                   config, TransformerBlockConfig::Kind::temporal, precision)),
      time_pos_embed_(scope / "time_pos_embed",
                      {.frequencies = config.channels, .hidden = 4 * config.channels, .out = config.channels},
                      precision),
      temporal_weight_(mix_weight(scope / "time_mixer", precision)),
      proj_out_(scope / "proj_out", {.in = config.channels, .out = config.channels}, precision) {
    // The stored factor is the weight of the spatial result.
    if (temporal_weight_.defined()) temporal_weight_ = 1.0 - temporal_weight_;
}

Tensor SpatioTemporalTransformer::frame_positions(std::int64_t num_frames) const {
    std::vector<double> numbers(static_cast<std::size_t>(num_frames));
    std::iota(numbers.begin(), numbers.end(), 0.0);
    return time_pos_embed_.project(sinusoidal_embeddings(numbers, channels_, precision_.device)).unsqueeze(1);
}

Tensor SpatioTemporalTransformer::forward(const Tensor& frames, const Tensor& context_token,
                                          const ForwardContext& context) const {
    auto x = observed_op(context, name_ + ".proj_in", precision_, [&](const auto& op) {
                 return proj_in_(norm_.over_frame(frames, op).flatten(1, 2), op);  // [F, H W, C]
             }).to(at::kFloat);
    const auto positions = frame_positions(frames.size(0));
    for (std::size_t i = 0; i < spatial_blocks_.size(); ++i) {
        x = spatial_blocks_[i].forward(x, context_token, context);
        const auto through_time = (x + positions).transpose(0, 1);  // [H W, F, C]
        const auto temporal = temporal_blocks_[i].forward(through_time, context_token, context).transpose(0, 1);
        x = at::lerp(x, temporal, temporal_weight_);
    }
    const auto out =
        observed_op(context, name_ + ".proj_out", precision_, [&](const auto& op) { return proj_out_(x, op); });
    const auto result = frames + out.view(frames.sizes());
    context.observe(name_, result);
    return result;
}

}  // namespace kinescope::svd
