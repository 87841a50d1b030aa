#include "core/models/wan/transformer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/api/error.h"
#include "core/models/wan/position_embedding.h"
#include "core/models/wan/text_context.h"
#include "core/nn/parameter.h"

namespace kinescope::wan {

namespace {

/// Number of prompts to cache: one per guidance branch.
constexpr std::size_t kKeptPrompts = 2;

/// The kernel equals the stride, so the convolution is a matrix product over patches [in, 1, p, p].
Linear patch_linear(const WeightScope& scope, const TransformerConfig& config, std::int64_t channels,
                    const Precision& precision) {
    const auto& patch = config.patch_size;
    const auto weight = scope.take("weight", {config.dim(), channels, patch[0], patch[1], patch[2]});
    return Linear(weight.defined() ? weight.flatten(1) : weight, scope.take("bias", {config.dim()}), precision,
                  scope.path("weight"));
}

}  // namespace

Transformer::Transformer(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      patch_embedding_(patch_linear(scope / "patch_embedding", config, config.in_channels, precision)),
      condition_embedder_(scope / "condition_embedder", config, precision),
      blocks_(scope, precision, config.num_layers,
              [=](std::int64_t i) {
                  return TransformerBlock(scope / "blocks" / i, "blocks." + std::to_string(i), config, precision);
              }),
      vace_blocks_(scope, precision, static_cast<std::int64_t>(config.vace_layers.size()),
                   [=](std::int64_t i) { return VaceBlock(scope / "vace_blocks" / i, i, config, precision); }),
      scale_shift_table_(to_float32(scope.take("scale_shift_table", {1, 2, config.dim()}), precision)),
      proj_out_(scope / "proj_out", {.in = config.dim(), .out = config.out_channels * config.patch_volume()},
                float32_compute(precision)) {
    if (config.has_vace())
        vace_patch_embedding_ =
            patch_linear(scope / "vace_patch_embedding", config, config.vace_in_channels, precision);
}

std::vector<std::string> Transformer::unneeded(const TransformerConfig& config) {
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < config.num_layers; ++i)
        names.push_back("blocks." + std::to_string(i) + ".attn2.norm_added_q.");
    return names;
}

TokenGrid Transformer::token_grid(const Tensor& latents) const {
    TokenGrid grid{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto size = latents.size(static_cast<std::int64_t>(axis) + 2);
        grid[axis] = size / config_.patch_size[axis];
        if (size % config_.patch_size[axis] != 0 || grid[axis] < 1 || grid[axis] > config_.rope_max_seq_len)
            throw Error(ErrorCode::bad_request, "Latents of " + std::to_string(size) +
                                                    " along an axis do not match patches of " +
                                                    std::to_string(config_.patch_size[axis]) + " and at most " +
                                                    std::to_string(config_.rope_max_seq_len) + " positions");
    }
    return grid;
}

Tensor Transformer::with_condition(const Tensor& latents, const Tensor& condition) const {
    if (config_.has_vace()) return latents;
    const auto channels = config_.condition_channels();
    const auto given = condition.defined() ? condition.size(1) : 0;
    if (channels > 0 ? given != channels : given != 0 && given != config_.in_channels)
        throw Error(ErrorCode::bad_request,
                    "The condition has " + std::to_string(given) + " channels, but this model takes " +
                        std::to_string(channels),
                    channels > 0 ? "This model makes a video from an image; specify an image" : "");
    if (given == 0) return latents;
    const auto values = condition.to(latents.device());
    if (channels > 0) return at::cat({latents, values}, 1);
    return at::cat({values, latents.slice(2, values.size(2))}, 2);
}

std::int64_t Transformer::clean_tokens(const Tensor& condition, const TokenGrid& grid) const {
    if (!condition.defined() || config_.condition_channels() > 0 || config_.has_vace()) return 0;
    return condition.size(2) * grid[1] * grid[2];
}

/// Converts latents to patches: [1, C, F, H, W] -> [1, L, C p p], channels outermost within a patch.
Tensor Transformer::patchify(const Tensor& latents, const TokenGrid& grid) const {
    const auto [frames, rows, columns] = grid;
    const auto p = config_.patch_size[1];
    return latents.reshape({1, latents.size(1), frames, rows, p, columns, p})
        .permute({0, 2, 3, 5, 1, 4, 6})
        .reshape({1, frames * rows * columns, -1});
}

/// Converts patches to latents: [1, L, p p C] -> [1, C, F, H, W], channels innermost within a patch.
Tensor Transformer::unpatchify(const Tensor& tokens, const TokenGrid& grid) const {
    const auto [frames, rows, columns] = grid;
    const auto p = config_.patch_size[1];
    return tokens.reshape({1, frames, rows, columns, p, p, config_.out_channels})
        .permute({0, 6, 1, 2, 4, 3, 5})
        .reshape({1, config_.out_channels, frames, rows * p, columns * p});
}

void Transformer::make_rotary(const TokenGrid& grid) {
    if (grid == rotary_grid_) return;
    rotary_ = rotary_table(grid, config_.attention_head_dim).to(precision_.device);
    rotary_grid_ = grid;
}

Transformer::Prompt& Transformer::prompt(const DenoiseInput& input, const ForwardContext& context) {
    const auto& embeds = input.conditioning.prompt(input.branch);
    const auto text_op = context.op("condition_embedder.text", precision_);
    const auto image_op = context.op("condition_embedder.image", precision_);
    const auto is_this = [&](const Prompt& known) {
        return known.prompt_embeds.is_same(embeds) && known.image_embeds.is_same(input.conditioning.image_embeds);
    };
    std::erase_if(prompts_, [&](const Prompt& known) {
        // A repeated step projects the prompt again, because the projection may have failed.
        const bool is_repeated = known.timestep == input.timestep;
        return is_this(known) && (known.text_op != text_op || known.image_op != image_op || is_repeated);
    });
    auto found = std::ranges::find_if(prompts_, is_this);
    if (found == prompts_.end()) {
        if (prompts_.size() == kKeptPrompts) prompts_.pop_front();
        prompts_.push_back(embed(input, context));
        found = std::prev(prompts_.end());
    }
    return *found;
}

Transformer::Prompt* Transformer::find(const DenoiseInput& input) {
    const auto& embeds = input.conditioning.prompt(input.branch);
    const auto found = std::ranges::find_if(prompts_, [&](const Prompt& known) {
        return known.prompt_embeds.is_same(embeds) && known.image_embeds.is_same(input.conditioning.image_embeds);
    });
    return found == prompts_.end() ? nullptr : &*found;
}

/// Looks the prompts up again when both are embedded, because adding one may move the other.
std::pair<Transformer::Prompt*, Transformer::Prompt*> Transformer::prompts(const DenoiseInput& input,
                                                                           const ForwardContext& context) {
    if (!input.nag || !input.conditioning.negative_prompt_embeds.defined()) return {&prompt(input, context), nullptr};
    DenoiseInput negative = input;
    negative.branch = Branch::uncond;
    prompt(negative, context);
    prompt(input, context);
    return {find(input), find(negative)};
}

Transformer::Prompt Transformer::embed(const DenoiseInput& input, const ForwardContext& context) const {
    const auto& embeds = input.conditioning.prompt(input.branch);
    const auto rows = merge_padding(embeds, precision_);
    const auto text_op = context.op("condition_embedder.text", precision_);
    const auto image_op = context.op("condition_embedder.image", precision_);
    Prompt made{.prompt_embeds = embeds,
                .image_embeds = input.conditioning.image_embeds,
                .key_bias = rows.key_bias,
                .text = {},
                .image = {},
                .text_op = {text_op.compute, text_op.level},  // without the observer, which is valid only in this step
                .image_op = {image_op.compute, image_op.level},
                .timestep = input.timestep,
                .blocks = std::vector<BlockContext>(blocks_.size()),
                .vace_blocks = std::vector<BlockContext>(vace_blocks_.size())};
    made.text = condition_embedder_.text(rows.prompt_embeds, text_op);
    context.observe("condition_embedder.text", made.text, text_op);
    if (!config_.has_image_branch() || !made.image_embeds.defined()) return made;
    made.image = condition_embedder_.image(made.image_embeds.to(precision_.device), image_op);
    context.observe("condition_embedder.image", made.image, image_op);
    return made;
}

/// Returns a block's keys and values. Computes them for a new prompt, after the guard raised the op, and in a repeated
/// step.
const Transformer::BlockContext& Transformer::project(const TransformerBlock& block, const Prompt& prompt,
                                                      BlockContext& known, const Pass& pass) const {
    const auto op = block.attn2_op(pass.context);
    if (!known.attended.text.key.defined() || op != known.op || pass.timestep == known.timestep)
        known = {.attended = {.text = block.project_text(prompt.text, op, pass.context),
                              .image = block.project_image(prompt.image, op, pass.context),
                              .key_bias = prompt.key_bias},
                 .op = {op.compute, op.level},  // without the observer, which is valid only in this step
                 .timestep = pass.timestep};
    return known;
}

std::optional<NegativeContext> Transformer::negative_context(const TransformerBlock& block, BlockContext& known,
                                                             const Pass& pass) const {
    const auto& attended = project(block, *pass.avoided, known, pass).attended;
    return NegativeContext{.text = attended.text, .key_bias = attended.key_bias, .settings = *pass.nag};
}

BlockInput Transformer::block_input(const TransformerBlock& block, BlockContext& known,
                                    const std::optional<NegativeContext>& negative, const Pass& pass) const {
    return {.modulation = pass.time.modulation,
            .clean_tokens = pass.clean_tokens,
            .rotary = rotary_,
            .context = project(block, pass.prompt, known, pass).attended,
            .attn2_op = block.attn2_op(pass.context),
            .negative = negative ? &*negative : nullptr};
}

Transformer::Control Transformer::embed_control(const Conditioning& conditioning, const Tensor& hidden_states,
                                                const ForwardContext& context) const {
    if (!config_.has_vace()) return {};
    const auto& condition = conditioning.condition;
    if (!condition.defined() || condition.size(1) != config_.vace_in_channels)
        throw Error(ErrorCode::bad_request,
                    "The control condition has " + std::to_string(condition.defined() ? condition.size(1) : 0) +
                        " channels, and this VACE model takes " + std::to_string(config_.vace_in_channels));
    const auto values = condition.to(precision_.device);
    const auto op = context.op("vace_patch_embedding", precision_);
    auto stream = (*vace_patch_embedding_)(patchify(values, token_grid(values)), op).to(at::kFloat);
    context.observe("vace_patch_embedding", stream, op);
    const auto missing = hidden_states.size(1) - stream.size(1);
    if (missing < 0)
        throw Error(ErrorCode::bad_request, "The control condition has " + std::to_string(stream.size(1)) +
                                                " tokens, more than the " + std::to_string(hidden_states.size(1)) +
                                                " of the video");
    const auto& scale = conditioning.control_scale;
    return {.stream = at::constant_pad_nd(stream, {0, 0, 0, missing}),
            .scale = scale.defined() ? scale.cpu() : at::ones({static_cast<std::int64_t>(vace_blocks_.size())})};
}

Tensor Transformer::next_hint(Control& control, std::size_t index, const Tensor& hidden_states, const Pass& pass) {
    const auto k = control.next;
    if (k >= config_.vace_layers.size() || config_.vace_layers[k] != static_cast<std::int64_t>(index)) return {};
    ++control.next;
    const auto& block = vace_blocks_[k];
    const auto negative =
        pass.avoided == nullptr ? std::nullopt : negative_context(block.block(), pass.avoided->vace_blocks[k], pass);
    const auto input = block_input(block.block(), pass.prompt.vace_blocks[k], negative, pass);
    control.stream = block.forward(control.stream, hidden_states, input, pass.context);
    return block.hint(control.stream, pass.context) * control.scale[static_cast<std::int64_t>(k)].item<float>();
}

void Transformer::run_block(std::size_t index, Tensor& hidden_states, const Pass& pass) {
    const auto& block = blocks_[index];
    const auto negative =
        pass.avoided == nullptr ? std::nullopt : negative_context(block, pass.avoided->blocks[index], pass);
    const auto after =
        block.forward(hidden_states, block_input(block, pass.prompt.blocks[index], negative, pass), pass.context);
    hidden_states = after.value;
    observe(block.name(), after, pass.context);
}

Tensor Transformer::run_blocks(Tensor hidden_states, const DenoiseInput& input, const TimeCondition& time,
                               std::int64_t clean_tokens, const ForwardContext& context) {
    const auto [known, avoided] = prompts(input, context);
    const Pass pass{.prompt = *known,
                    .avoided = avoided,
                    .nag = input.nag,
                    .timestep = input.timestep,
                    .time = time,
                    .clean_tokens = clean_tokens,
                    .context = context};
    auto control = embed_control(input.conditioning, hidden_states, context);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const auto hint = next_hint(control, i, hidden_states, pass);
        const bool is_skipped =
            std::ranges::find(input.skipped_blocks, static_cast<int>(i)) != input.skipped_blocks.end();
        if (!is_skipped) run_block(i, hidden_states, pass);
        if (hint.defined()) hidden_states = hidden_states + hint;  // to the input of a skipped block, as in diffusers
    }
    return hidden_states;
}

Tensor Transformer::head(const Tensor& hidden_states, const Tensor& temb, std::int64_t clean_tokens) const {
    const auto rows = scale_shift_table_ + temb.unsqueeze(1);
    const auto m = [&](std::int64_t part) { return per_token(rows.select(1, part), clean_tokens); };
    return proj_out_(modulated_layer_norm(hidden_states, {.eps = config_.eps}, m(1), m(0)));
}

Tensor Transformer::predict(const DenoiseInput& input, const ForwardContext& context) {
    const auto latents = with_condition(input.latents.to(precision_.device), input.conditioning.condition);
    const auto grid = token_grid(latents);
    const auto patch_op = context.op("patch_embedding", precision_);
    auto hidden_states = patch_embedding_(patchify(latents, grid), patch_op).to(at::kFloat);
    context.observe("patch_embedding", hidden_states, patch_op);
    const auto clean = clean_tokens(input.conditioning.condition, grid);
    const auto time = condition_embedder_.time(clean > 0 ? std::vector<double>{input.timestep, 0.0}
                                                         : std::vector<double>{input.timestep});
    context.observe("condition_embedder.time", time.modulation);
    make_rotary(grid);
    hidden_states = run_blocks(hidden_states, input, time, clean, context);
    const auto tokens = head(hidden_states, time.temb, clean);
    context.observe("proj_out", tokens);
    return unpatchify(tokens, grid);
}

}  // namespace kinescope::wan
