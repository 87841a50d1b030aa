#include "core/models/cogvideox/transformer.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/nn/parameter.h"

namespace kinescope::cogvideox {

namespace {

/// The `ofs` value with which CogVideoX 1.5 image to video was trained.
constexpr double kOfs = 2.0;

/// Loads the patch embedding. The kernel equals the stride, so the convolution of 1.0 is a matrix product over patches;
/// 1.5 stores that matrix.
Linear patch_linear(const WeightScope& scope, const TransformerConfig& config, const Precision& precision) {
    const auto p = config.patch_size;
    const bool is_linear = config.patch_size_t > 0;
    const auto weight = is_linear ? scope.take("weight", {config.dim(), config.in_channels * config.patch_volume()})
                                  : scope.take("weight", {config.dim(), config.in_channels, p, p});
    const auto bias = is_linear || config.patch_bias ? scope.take("bias", {config.dim()}) : Tensor();
    return Linear(weight.defined() ? weight.flatten(1) : weight, bias, precision, scope.path("weight"));
}

Tensor learned_positions(const WeightScope& scope, const TransformerConfig& config, const Precision& precision) {
    if (config.position_table != PositionTable::learned) return {};
    const TokenLayout native{config.max_text_seq_length, config.native_grid()};
    return to_float32(scope.take("pos_embedding", {1, native.text + native.video(), config.dim()}), precision);
}

[[noreturn]] void refuse_latents(const std::string& what) {
    throw Error(ErrorCode::bad_request, "The latents do not fit the model: " + what);
}

}  // namespace

Transformer::Transformer(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      patch_proj_(patch_linear(scope / "patch_embed" / "proj", config, precision)),
      text_proj_(scope / "patch_embed" / "text_proj", {.in = config.text_embed_dim, .out = config.dim()}, precision),
      learned_positions_(learned_positions(scope / "patch_embed", config, precision)),
      time_embedding_(scope / "time_embedding", config.dim(), config.time_embed_dim, precision),
      blocks_(scope, precision, config.num_layers,
              [=](std::int64_t i) {
                  return TransformerBlock(scope / "transformer_blocks" / i, "transformer_blocks." + std::to_string(i),
                                          config, precision);
              }),
      norm_final_(scope / "norm_final", config.dim(), config.norm_eps, precision),
      norm_out_linear_(scope / "norm_out" / "linear", {.in = config.time_embed_dim, .out = 2 * config.dim()},
                       modulation_precision(precision)),
      norm_out_(scope / "norm_out" / "norm", config.dim(), config.norm_eps, precision),
      proj_out_(scope / "proj_out", {.in = config.dim(), .out = config.out_channels * config.patch_volume()},
                float32_compute(precision)) {
    if (config.ofs_embed_dim > 0)
        ofs_embedding_.emplace(scope / "ofs_embedding", config.ofs_embed_dim, config.ofs_embed_dim, precision);
}

TokenGrid Transformer::token_grid(const Tensor& latents) const {
    if (latents.size(1) != config_.in_channels)
        refuse_latents(std::to_string(latents.size(1)) + " channels instead of " + std::to_string(config_.in_channels));
    const TokenGrid patch{config_.patch_frames(), config_.patch_size, config_.patch_size};
    TokenGrid grid{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto size = latents.size(static_cast<std::int64_t>(axis) + 2);
        grid[axis] = size / patch[axis];
        if (size < 1 || size % patch[axis] != 0)
            refuse_latents(std::to_string(size) + " along an axis is not a multiple of the patch size " +
                           std::to_string(patch[axis]));
    }
    return grid;
}

Tensor Transformer::model_input(const DenoiseInput& input) const {
    const auto& condition = input.conditioning.condition;
    const auto latents = input.latents.to(precision_.device);
    return config_.takes_image() && condition.defined() ? at::cat({latents, condition.to(precision_.device)}, 1)
                                                        : latents;
}

/// Converts latents to patches: [1, C, F, H, W] -> [1, L, C pt p p], channels outermost within a patch.
Tensor Transformer::patchify(const Tensor& latents, const TokenGrid& grid) const {
    const auto [frames, rows, columns] = grid;
    const auto p = config_.patch_size;
    return latents.reshape({1, config_.in_channels, frames, config_.patch_frames(), rows, p, columns, p})
        .permute({0, 2, 4, 6, 1, 3, 5, 7})
        .reshape({1, frames * rows * columns, -1});
}

/// Converts patches of the output channels to latents: the inverse of patchify().
Tensor Transformer::unpatchify(const Tensor& tokens, const TokenGrid& grid) const {
    const auto [frames, rows, columns] = grid;
    const auto p = config_.patch_size;
    const auto t = config_.patch_frames();
    return tokens.reshape({1, frames, rows, columns, config_.out_channels, t, p, p})
        .permute({0, 4, 1, 5, 2, 6, 3, 7})
        .reshape({1, config_.out_channels, frames * t, rows * p, columns * p});
}

Tensor Transformer::position_table(const TokenLayout& layout) const {
    const auto native = config_.native_grid();
    if (config_.position_table == PositionTable::none) return {};
    // As in the reference, the learned table has the native number of frames; for other numbers, sines and cosines are
    // used.
    if (config_.position_table == PositionTable::sin_cos || layout.grid[0] != native[0])
        return sin_cos_table(config_, layout).to(precision_.device);
    return at::cat(
        {learned_positions_.narrow(1, 0, layout.text), learned_positions_.slice(1, config_.max_text_seq_length)}, 1);
}

const Transformer::Positions& Transformer::positions(const TokenLayout& layout) {
    if (positions_.layout == layout) return positions_;
    const auto native = config_.native_grid();
    const bool is_native_size = layout.grid[1] == native[1] && layout.grid[2] == native[2];
    if (config_.position_table == PositionTable::learned && !is_native_size)
        refuse_latents("this model supports only one size, " + std::to_string(native[2]) + " x " +
                       std::to_string(native[1]) + " patches");
    if (config_.position_table == PositionTable::learned && layout.text > config_.max_text_seq_length)
        refuse_latents(std::to_string(layout.text) + " text tokens, but only " +
                       std::to_string(config_.max_text_seq_length) + " have a position");
    const auto rotary = config_.rotary ? rotary_table(config_, layout).to(precision_.device) : Tensor();
    positions_ = {.layout = layout, .rotary = rotary, .table = position_table(layout)};
    return positions_;
}

const Tensor& Transformer::text(const DenoiseInput& input, const ForwardContext& context) {
    const auto& embeds = input.conditioning.prompt(input.branch);
    const auto op = context.op("patch_embed.text_proj", precision_);
    auto& known = input.branch == Branch::cond ? text_ : negative_text_;
    // A repeated step projects the prompt again, because the projection may have failed.
    const bool is_repeated = known.timestep == input.timestep;
    if (known.prompt_embeds.is_same(embeds) && known.op == op && !is_repeated) return known.projected;
    known = {.prompt_embeds = embeds,
             .op = {op.compute, op.level},  // without the observer, which is valid only in this step
             .timestep = input.timestep,
             .projected = text_proj_(embeds.to(precision_.device), op)};
    context.observe("patch_embed.text_proj", known.projected, op);
    return known.projected;
}

Tensor Transformer::embed(const DenoiseInput& input, const TokenGrid& grid, const ForwardContext& context) {
    const auto& text = this->text(input, context);
    const auto patch_op = context.op("patch_embed.proj", precision_);
    const auto video = patch_proj_(patchify(model_input(input), grid), patch_op);
    context.observe("patch_embed.proj", video, patch_op);
    const auto& table = positions({text.size(1), grid}).table;
    const auto tokens = at::cat({text.to(at::kFloat), video.to(at::kFloat)}, 1);
    return table.defined() ? tokens + table : tokens;
}

Tensor Transformer::time(double timestep) const {
    const auto embedding = time_embedding_(timestep);
    return ofs_embedding_ ? embedding + (*ofs_embedding_)(kOfs) : embedding;
}

Tensor Transformer::head(const Tensor& video, const Tensor& time, const ForwardContext& context) const {
    const auto m = norm_out_linear_(time).unsqueeze(1).chunk(2, -1);  // shift, scale
    const auto normed = norm_out_.modulated(norm_final_(video), {m[1]}, {m[0]});
    context.observe("norm_out", normed);
    const auto tokens = proj_out_(normed);
    context.observe("proj_out", tokens);
    return tokens;
}

Tensor Transformer::predict(const DenoiseInput& input, const ForwardContext& context) {
    const auto grid = token_grid(model_input(input));
    const auto embedding = time(input.timestep);
    context.observe("time_embedding", embedding);
    const auto time = at::silu(embedding);
    auto hidden_states = embed(input, grid, context);
    const auto text_tokens = input.conditioning.prompt(input.branch).size(1);
    const auto& rotary = positions({text_tokens, grid}).rotary;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const auto& block = blocks_[i];
        const auto wanted = i + 1 < blocks_.size() ? Wanted::text_and_video : Wanted::video;
        hidden_states =
            block.forward(hidden_states, {.time = time, .rotary = rotary, .text_tokens = text_tokens}, wanted, context);
        context.observe(block.name(), hidden_states);
    }
    return unpatchify(head(hidden_states, time, context), grid);
}

}  // namespace kinescope::cogvideox
