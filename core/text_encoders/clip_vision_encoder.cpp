#include "core/text_encoders/clip_vision_encoder.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/base/config_reader.h"
#include "core/nn/attention.h"
#include "core/nn/parameter.h"

namespace kinescope {

namespace {

constexpr std::int64_t kColors = 3;

ClipVisionConfig::Activation activation_of(const std::string& name, const std::filesystem::path& file) {
    if (name == "gelu") return ClipVisionConfig::Activation::gelu;
    if (name == "quick_gelu") return ClipVisionConfig::Activation::quick_gelu;
    throw Error(ErrorCode::unsupported,
                file.string() + ": hidden_act is " + name + "; only gelu and quick_gelu are supported");
}

/// Returns the scope of the tower. Published files have the prefix "vision_model"; Hugging Face Transformers 5 omits it
/// for a tower without projection.
WeightScope tower(const WeightScope& scope) {
    return scope.has("embeddings.class_embedding") ? scope : scope / "vision_model";
}

/// Loads the patch embedding. The kernel size equals the stride, so the convolution is a matrix product over patches
/// [3, p, p].
Linear patch_linear(const WeightScope& scope, const ClipVisionConfig& config, const Precision& precision) {
    const auto weight = scope.take("weight", {config.hidden_size, kColors, config.patch_size, config.patch_size});
    return Linear(weight.defined() ? weight.flatten(1) : weight, {}, precision);
}

Tensor activate(const Tensor& x, ClipVisionConfig::Activation activation) {
    return activation == ClipVisionConfig::Activation::gelu ? at::gelu(x, "none") : x * at::sigmoid(x * 1.702);
}

}  // namespace

ClipVisionConfig read_clip_vision_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    ClipVisionConfig config;
    config.hidden_size = reader.integer("hidden_size", config.hidden_size, {1, 16384});
    config.intermediate_size = reader.integer("intermediate_size", config.intermediate_size, {1, 65536});
    config.projection_dim = reader.integer("projection_dim", config.projection_dim, {1, 16384});
    config.num_hidden_layers = reader.integer("num_hidden_layers", config.num_hidden_layers, {1, 200});
    config.num_attention_heads = reader.integer("num_attention_heads", config.num_attention_heads, {1, 256});
    config.image_size = reader.integer("image_size", config.image_size, {1, 4096});
    config.patch_size = reader.integer("patch_size", config.patch_size, {1, 4096});
    config.activation = activation_of(reader.text("hidden_act", "gelu"), file);
    config.layer_norm_eps = reader.number("layer_norm_eps", config.layer_norm_eps, {0.0, 1.0});
    if (config.hidden_size % config.num_attention_heads != 0)
        reader.refuse("num_attention_heads", "it must be a divisor of hidden_size");
    if (config.patch_size > config.image_size) reader.refuse("patch_size", "it must be at most image_size");
    return config;
}

ClipVisionEncoder::Block::Block(const WeightScope& scope, const ClipVisionConfig& config, const Precision& precision)
    : layer_norm1(scope / "layer_norm1", config.hidden_size, config.layer_norm_eps, precision),
      layer_norm2(scope / "layer_norm2", config.hidden_size, config.layer_norm_eps, precision),
      fc1(scope / "mlp" / "fc1", {.in = config.hidden_size, .out = config.intermediate_size}, precision),
      fc2(scope / "mlp" / "fc2", {.in = config.intermediate_size, .out = config.hidden_size}, precision) {
    const auto attn = scope / "self_attn";
    const LinearConfig square{.in = config.hidden_size, .out = config.hidden_size};
    q_proj = Linear(attn / "q_proj", square, precision);
    k_proj = Linear(attn / "k_proj", square, precision);
    v_proj = Linear(attn / "v_proj", square, precision);
    out_proj = Linear(attn / "out_proj", square, precision);
}

ClipVisionEncoder::ClipVisionEncoder(const WeightScope& scope, const ClipVisionConfig& config, Use use,
                                     const Precision& precision)
    : config_(config), precision_(precision) {
    const auto model = tower(scope);
    const auto embeddings = model / "embeddings";
    patch_embedding_ = patch_linear(embeddings / "patch_embedding", config, precision);
    class_embedding_ = to_float32(embeddings.take("class_embedding", {config.hidden_size}), precision);
    position_embedding_ = to_float32(
        (embeddings / "position_embedding").take("weight", {config.num_patches() + 1, config.hidden_size}), precision);
    pre_layernorm_ = LayerNorm(model / "pre_layrnorm", config.hidden_size, config.layer_norm_eps, precision);
    const auto needed = config.num_hidden_layers - (use == Use::penultimate_states ? 1 : 0);
    for (std::int64_t i = 0; i < needed; ++i) blocks_.emplace_back(model / "encoder" / "layers" / i, config, precision);
    if (use == Use::penultimate_states) return;
    post_layernorm_ = LayerNorm(model / "post_layernorm", config.hidden_size, config.layer_norm_eps, precision);
    visual_projection_ =
        Linear(scope / "visual_projection",
               {.in = config.hidden_size, .out = config.projection_dim, .bias = Bias::none}, precision);
}

std::vector<std::string> ClipVisionEncoder::unneeded(const ClipVisionConfig& config, Use use) {
    std::vector<std::string> names = {"embeddings.position_ids"};
    if (use == Use::penultimate_states) {
        names.push_back("encoder.layers." + std::to_string(config.num_hidden_layers - 1) + ".");
        names.emplace_back("post_layernorm.");
    }
    for (std::size_t i = 0, count = names.size(); i < count; ++i) names.push_back("vision_model." + names[i]);
    if (use == Use::penultimate_states) names.emplace_back("visual_projection.");
    return names;
}

/// Returns the embeddings of the class token, followed by those of the patches in row-major order.
Tensor ClipVisionEncoder::embed(const Tensor& pixels, const ForwardContext& context) const {
    const auto p = config_.patch_size;
    const auto side = config_.image_size / p;
    const auto op = context.op("embeddings", precision_);
    const auto patches = pixels.to(precision_.device)
                             .slice(2, 0, side * p)
                             .slice(3, 0, side * p)
                             .reshape({-1, kColors, side, p, side, p})
                             .permute({0, 2, 4, 1, 3, 5})
                             .reshape({pixels.size(0), side * side, -1});
    const auto tokens = patch_embedding_(patches, op).to(at::kFloat);
    const auto first = class_embedding_.expand({pixels.size(0), 1, -1});
    const auto x = at::cat({first, tokens}, 1) + position_embedding_;
    context.observe("embeddings", x, op);
    return pre_layernorm_(x);
}

Tensor ClipVisionEncoder::attention(const Block& block, const Tensor& x, const OpPrecision& op) const {
    const auto heads = config_.num_attention_heads;
    const auto normed = block.layer_norm1(x);
    const auto attended = scaled_dot_product_attention({.query = split_heads(block.q_proj(normed, op), heads),
                                                        .key = split_heads(block.k_proj(normed, op), heads),
                                                        .value = split_heads(block.v_proj(normed, op), heads),
                                                        .bias = {},
                                                        .scale = {}},
                                                       op);
    return block.out_proj(merge_heads(attended), op);
}

Tensor ClipVisionEncoder::mlp(const Block& block, const Tensor& x, const OpPrecision& op) const {
    return block.fc2(activate(block.fc1(block.layer_norm2(x), op), config_.activation), op);
}

Tensor ClipVisionEncoder::run_blocks(Tensor x, std::size_t count, const ForwardContext& context) const {
    for (std::size_t i = 0; i < count; ++i) {
        const auto site = "blocks." + std::to_string(i);
        const auto attn_op = context.op(site + ".attn", precision_);
        const auto attn = attention(blocks_[i], x, attn_op);
        context.observe(site + ".attn", attn, attn_op);
        x = x + attn;
        const auto mlp_op = context.op(site + ".mlp", precision_);
        const auto hidden = mlp(blocks_[i], x, mlp_op);
        context.observe(site + ".mlp", hidden, mlp_op);
        x = x + hidden;
        context.observe(site, x);
    }
    return x;
}

Tensor ClipVisionEncoder::penultimate_states(const Tensor& pixels, const ForwardContext& context) const {
    return run_blocks(embed(pixels, context), static_cast<std::size_t>(config_.num_hidden_layers) - 1, context);
}

Tensor ClipVisionEncoder::image_embeds(const Tensor& pixels, const ForwardContext& context) const {
    const auto x = run_blocks(embed(pixels, context), blocks_.size(), context);
    const auto op = context.op("image_embeds", precision_);
    const auto embeds = visual_projection_(post_layernorm_(x.select(1, 0)), op).to(at::kFloat);
    context.observe("image_embeds", embeds, op);
    return embeds;
}

}  // namespace kinescope
