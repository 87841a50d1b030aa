#include "core/models/wan/transformer.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/models/wan/text_context.h"
#include "core/nn/parameter.h"

namespace kinescope::wan {

namespace {

/// The two branches of guidance.
constexpr std::size_t kKeptPrompts = 2;

/// Kernel equals stride, so the convolution is a product of patches [in, 1, p, p] with a matrix.
Linear patch_linear(const WeightScope& scope, const TransformerConfig& config, const Precision& precision) {
    const auto& patch = config.patch_size;
    const auto weight = scope.take("weight", {config.dim(), config.in_channels, patch[0], patch[1], patch[2]});
    return Linear(weight.defined() ? weight.flatten(1) : weight, scope.take("bias", {config.dim()}), precision);
}

}  // namespace

Transformer::Transformer(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      patch_embedding_(patch_linear(scope / "patch_embedding", config, precision)),
      condition_embedder_(scope / "condition_embedder", config, precision),
      scale_shift_table_(to_float32(scope.take("scale_shift_table", {1, 2, config.dim()}), precision)),
      proj_out_(scope / "proj_out", {.in = config.dim(), .out = config.out_channels * config.patch_volume()},
                float32_compute(precision)) {
    blocks_.reserve(static_cast<std::size_t>(config.num_layers));
    for (std::int64_t i = 0; i < config.num_layers; ++i)
        blocks_.emplace_back(scope / "blocks" / i, "blocks." + std::to_string(i), config, precision);
}

TokenGrid Transformer::token_grid(const Tensor& latents) const {
    TokenGrid grid{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto size = latents.size(static_cast<std::int64_t>(axis) + 2);
        grid[axis] = size / config_.patch_size[axis];
        if (size % config_.patch_size[axis] != 0 || grid[axis] < 1 || grid[axis] > config_.rope_max_seq_len)
            throw Error(ErrorCode::bad_request, "Latents of " + std::to_string(size) +
                                                    " along an axis do not fit patches of " +
                                                    std::to_string(config_.patch_size[axis]) + " and at most " +
                                                    std::to_string(config_.rope_max_seq_len) + " positions");
    }
    return grid;
}

/// [1, C, F, H, W] -> [1, L, C p p], a patch's channels outermost.
Tensor Transformer::patchify(const Tensor& latents, const TokenGrid& grid) const {
    const auto [frames, rows, columns] = grid;
    const auto p = config_.patch_size[1];
    return latents.reshape({1, config_.in_channels, frames, rows, p, columns, p})
        .permute({0, 2, 3, 5, 1, 4, 6})
        .reshape({1, frames * rows * columns, -1});
}

/// [1, L, p p C] -> [1, C, F, H, W], a patch's channels innermost.
Tensor Transformer::unpatchify(const Tensor& tokens, const TokenGrid& grid) const {
    const auto [frames, rows, columns] = grid;
    const auto p = config_.patch_size[1];
    return tokens.reshape({1, frames, rows, columns, p, p, config_.out_channels})
        .permute({0, 6, 1, 2, 4, 3, 5})
        .reshape({1, config_.out_channels, frames, rows * p, columns * p});
}

const Tensor& Transformer::rotary(const TokenGrid& grid) {
    if (grid != rotary_grid_) {
        rotary_ = rotary_table_3d(grid, config_.attention_head_dim).to(precision_.device);
        rotary_grid_ = grid;
    }
    return rotary_;
}

const Transformer::Prompt& Transformer::prompt(const Tensor& prompt_embeds, const ForwardContext& context) {
    const auto text_op = context.op("condition_embedder.text", precision_);
    std::erase_if(prompts_, [&](const Prompt& known) {
        return known.prompt_embeds.is_same(prompt_embeds) && known.text_op != text_op;
    });
    for (auto& known : prompts_) {
        if (!known.prompt_embeds.is_same(prompt_embeds)) continue;
        project_again_where_raised(known, context);
        return known;
    }
    if (prompts_.size() == kKeptPrompts) prompts_.pop_front();
    prompts_.push_back(project(prompt_embeds, text_op, context));
    return prompts_.back();
}

Transformer::Prompt Transformer::project(const Tensor& prompt_embeds, const OpPrecision& text_op,
                                         const ForwardContext& context) const {
    const auto rows = merge_padding(prompt_embeds, precision_);
    Prompt made{.prompt_embeds = prompt_embeds,
                .key_bias = rows.key_bias,
                .text = condition_embedder_.text(rows.prompt_embeds, text_op),
                .text_op = text_op,
                .blocks = {}};
    context.observe("condition_embedder.text", made.text, text_op);
    for (const auto& block : blocks_) {
        const auto op = block.attn2_op(context);
        made.blocks.push_back({block.project_text(made.text, op), op});
    }
    return made;
}

void Transformer::project_again_where_raised(Prompt& prompt, const ForwardContext& context) const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const auto op = blocks_[i].attn2_op(context);
        if (op != prompt.blocks[i].op) prompt.blocks[i] = {blocks_[i].project_text(prompt.text, op), op};
    }
}

Tensor Transformer::head(const Tensor& hidden_states, const Tensor& temb) const {
    const auto m = (scale_shift_table_ + temb.unsqueeze(1)).chunk(2, 1);
    return proj_out_(modulated_norm(hidden_states, m[0], m[1], config_.eps));
}

Tensor Transformer::predict(const DenoiseInput& input, const ForwardContext& context) {
    const auto grid = token_grid(input.latents);
    const auto patch_op = context.op("patch_embedding", precision_);
    auto hidden_states = patch_embedding_(patchify(input.latents.to(precision_.device), grid), patch_op).to(at::kFloat);
    context.observe("patch_embedding", hidden_states, patch_op);
    const auto time = condition_embedder_.time(input.timestep);
    context.observe("condition_embedder.time", time.modulation);
    const auto& text = prompt(input.conditioning.prompt(input.branch), context);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        hidden_states = blocks_[i].forward(hidden_states,
                                           {.modulation = time.modulation,
                                            .rotary = rotary(grid),
                                            .text = text.blocks[i].key_value,
                                            .attn2_op = text.blocks[i].op,
                                            .key_bias = text.key_bias},
                                           context);
        context.observe(blocks_[i].name(), hidden_states);
    }
    const auto tokens = head(hidden_states, time.temb);
    context.observe("proj_out", tokens);
    return unpatchify(tokens, grid);
}

}  // namespace kinescope::wan
