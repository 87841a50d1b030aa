#include "core/models/ltx/transformer.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/device/host_copy.h"
#include "core/models/ltx/position_embedding.h"
#include "core/nn/cpu/gelu.h"
#include "core/nn/parameter.h"

namespace kinescope::ltx {

namespace {

constexpr std::int64_t kTimeFrequencies = 256;
/// Epsilon of the last norm. The config's norm_eps does not apply to it.
constexpr double kHeadEps = 1e-6;

[[noreturn]] void refuse_input(const std::string& what) {
    throw Error(ErrorCode::bad_request, "The latents do not fit the model: " + what);
}

/// Returns a value of Conditioning::details, or an undefined tensor if it is missing.
Tensor find_detail(const Conditioning& conditioning, const std::string& name) {
    const auto found = conditioning.details.find(name);
    return found == conditioning.details.end() ? Tensor() : found->second;
}

Tensor text_mask(const DenoiseInput& input) {
    return input.branch == Branch::cond ? input.conditioning.attention_mask
                                        : find_detail(input.conditioning, "negative_attention_mask");
}

/// Removes the padding. The reference adds -10000 to the scores of padding instead, which makes its attention weights 0
/// in float32.
Tensor real_tokens(const Tensor& embeds, const Tensor& mask) {
    if (!mask.defined()) return embeds;
    const auto kept = mask.flatten().nonzero().flatten();
    return kept.size(0) == 0 ? embeds : embeds.index_select(1, sent_to(kept, embeds.device()));
}

}  // namespace

Tensor packed(const Tensor& latents) {
    return latents.flatten(2).transpose(1, 2);
}

Tensor unpacked(const Tensor& tokens, const Tensor& like) {
    return tokens.transpose(1, 2).reshape(like.sizes());
}

Transformer::Transformer(const WeightScope& scope, const TransformerConfig& config, Direction direction,
                         const Precision& precision)
    : config_(config),
      direction_(direction),
      precision_(precision),
      proj_in_(scope / "proj_in", {.in = config.in_channels, .out = config.dim()}, precision),
      timestep_embedder_(scope / "time_embed" / "emb" / "timestep_embedder", kTimeFrequencies, config.dim(), precision),
      time_linear_(scope / "time_embed" / "linear", {.in = config.dim(), .out = 6 * config.dim()},
                   float32_compute(precision)),
      caption_in_(scope / "caption_projection" / "linear_1", {.in = config.caption_channels, .out = config.dim()},
                  precision),
      caption_out_(scope / "caption_projection" / "linear_2", {.in = config.dim(), .out = config.dim()}, precision),
      blocks_(scope, precision, config.num_layers,
              [=](std::int64_t i) {
                  return TransformerBlock(scope / "transformer_blocks" / i, "transformer_blocks." + std::to_string(i),
                                          config, precision);
              }),
      scale_shift_table_(to_float32(scope.take("scale_shift_table", {2, config.dim()}), precision)),
      proj_out_(scope / "proj_out", {.in = config.dim(), .out = config.in_channels}, float32_compute(precision)) {}

void Transformer::check_input(const DenoiseInput& input) const {
    const auto& latents = input.latents;
    if (latents.dim() != 5 || latents.size(1) != config_.in_channels)
        refuse_input("expected " + std::to_string(config_.in_channels) + " channels");
    const auto tokens = latents.size(2) * latents.size(3) * latents.size(4);
    const auto coordinates = find_detail(input.conditioning, "video_coords");
    if (!coordinates.defined() || coordinates.size(-1) != tokens)
        refuse_input("expected a position for each of " + std::to_string(tokens) + " tokens");
    const auto mask = find_detail(input.conditioning, "conditioning_mask");
    if (mask.defined() && mask.numel() != tokens)
        refuse_input("the mask has " + std::to_string(mask.numel()) + " values for " + std::to_string(tokens) +
                     " tokens");
    const auto& text = input.conditioning.prompt(input.branch);
    if (!text.defined() || text.size(-1) != config_.caption_channels)
        refuse_input("expected text embeddings of width " + std::to_string(config_.caption_channels));
}

Transformer::TimeRows Transformer::embed_times(const std::vector<double>& timesteps,
                                               const ForwardContext& context) const {
    std::vector<Tensor> rows;
    for (const double timestep : timesteps) rows.push_back(timestep_embedder_(timestep));
    const auto embedding = at::cat(rows);
    const auto modulation = time_linear_(at::silu(embedding)).unflatten(-1, {6, -1});
    context.observe("time_embed", modulation);
    return {embedding, modulation};
}

Tensor Transformer::project_text(const DenoiseInput& input, const ForwardContext& context) const {
    const auto text = real_tokens(input.conditioning.prompt(input.branch), text_mask(input));
    const auto op = context.op("caption_projection", precision_);
    auto hidden = caption_in_(text.to(precision_.device), op);
    gelu_tanh_(hidden);
    const auto projected = caption_out_(hidden, op);
    context.observe("caption_projection", projected, op);
    return projected;
}

const Tensor& Transformer::rotary(const Tensor& coordinates) {
    if (coordinates_.defined() && coordinates_.is_same(coordinates)) return rotary_;
    rotary_ = rotary_table(coordinates.to(at::kCPU), config_.dim()).to(precision_.device);
    coordinates_ = coordinates;
    return rotary_;
}

Tensor Transformer::head(const Tensor& hidden_states, const Tensor& embedding,
                         const std::vector<TokenSegment>& segments, const ForwardContext& context) const {
    const auto rows = scale_shift_table_ + embedding.unsqueeze(1);
    const auto normed =
        modulated_norm(hidden_states, kHeadEps, {.scale = rows.select(1, 1), .shift = rows.select(1, 0)}, segments);
    context.observe("norm_out", normed);
    const auto tokens = proj_out_(normed);
    context.observe("proj_out", tokens);
    return tokens;
}

Tensor Transformer::predict(const DenoiseInput& input, const ForwardContext& context) {
    check_input(input);
    const auto tokens = packed(input.latents.to(precision_.device));
    const auto times =
        token_times(input.timestep, find_detail(input.conditioning, "conditioning_mask"), tokens.size(1));
    const auto time = embed_times(times.timesteps, context);
    const auto in_op = context.op("proj_in", precision_);
    auto hidden_states = proj_in_(tokens, in_op).to(at::kFloat);
    context.observe("proj_in", hidden_states, in_op);
    const auto text = project_text(input, context);
    const auto& places = rotary(input.conditioning.details.at("video_coords"));
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const auto& block = blocks_[i];
        hidden_states = block.forward(
            hidden_states, {.modulation = time.modulation, .segments = times.segments, .rotary = places, .text = text},
            context);
        context.observe(block.name(), hidden_states);
    }
    const auto prediction = unpacked(head(hidden_states, time.embedding, times.segments, context), input.latents);
    return direction_ == Direction::to_noise ? prediction : prediction.neg();
}

}  // namespace kinescope::ltx
