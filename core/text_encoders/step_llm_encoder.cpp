#include "core/text_encoders/step_llm_encoder.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "core/base/config_reader.h"
#include "core/nn/attention.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"

namespace kinescope {

namespace {

/// A layer on the device.
class Layer {
public:
    Layer(const StepLlmEncoder::StoredLayer& stored, const StepLlmConfig& config, const Precision& precision)
        : config_(config),
          attention_norm_(stored.attention_norm, config.layernorm_epsilon, precision),
          wqkv_(stored.wqkv, {}, precision),
          wo_(stored.wo, {}, precision),
          ffn_norm_(stored.ffn_norm, config.layernorm_epsilon, precision),
          w1_(stored.w1, {}, precision),
          w2_(stored.w2, {}, precision) {}

    /// wqkv holds all queries first, then for each group its keys and values.
    Tensor attention(const Tensor& hidden_states, const Tensor& bias, const OpPrecision& op) const {
        const auto qkv = wqkv_(attention_norm_(hidden_states), op);
        const auto query = split_heads(qkv.narrow(-1, 0, config_.hidden_size), config_.num_heads).to(at::kFloat);
        const auto groups = qkv.slice(-1, config_.hidden_size).unflatten(-1, {config_.num_groups, -1});
        const auto key_value = groups.transpose(1, 2).chunk(2, -1);  // [B, G, N, head_dim]
        const auto repeats = config_.num_heads / config_.num_groups;
        const auto key = key_value[0].repeat_interleave(repeats, 1).to(at::kFloat);
        const auto value = key_value[1].repeat_interleave(repeats, 1);
        const auto scale = 1.0 / std::sqrt(static_cast<double>(config_.head_dim()));
        const auto scores = at::matmul(query * scale, key.transpose(-1, -2)).add_(bias);
        const auto probabilities = at::softmax(scores, -1).to(value.scalar_type());
        return wo_(merge_heads(at::matmul(probabilities, value)), op);
    }

    Tensor feed_forward(const Tensor& hidden_states, const OpPrecision& op) const {
        const auto halves = w1_(ffn_norm_(hidden_states), op).to(at::kFloat).chunk(2, -1);
        return w2_(at::silu(halves[0]) * halves[1], op);
    }

private:
    const StepLlmConfig& config_;
    RMSNorm attention_norm_;
    Linear wqkv_, wo_;
    RMSNorm ffn_norm_;
    Linear w1_, w2_;
};

/// ALiBi's slopes for any number of heads: a series of the largest power of two, then every other one of the next.
std::vector<double> alibi_slopes(std::int64_t num_heads) {
    std::int64_t power = 1;
    while (power * 2 <= num_heads) power *= 2;
    std::vector<double> slopes;
    for (std::int64_t head = 0; head < num_heads; ++head) {
        const auto exponent =
            head < power ? 8.0 * static_cast<double>(head + 1) : 4.0 * static_cast<double>(2 * (head - power) + 1);
        slopes.push_back(std::exp2(-exponent / static_cast<double>(power)));
    }
    return slopes;
}

}  // namespace

StepLlmConfig read_step_llm_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    StepLlmConfig config;
    config.vocab_size = reader.integer("padded_vocab_size", config.vocab_size, {3, 4'000'000});
    config.hidden_size = reader.integer("hidden_size", config.hidden_size, {1, 65536});
    config.num_layers = reader.integer("num_layers", config.num_layers, {1, 200});
    config.num_heads = reader.integer("num_attention_heads", config.num_heads, {1, 512});
    config.num_groups = reader.integer("num_attention_groups", config.num_groups, {1, 512});
    config.ffn_hidden_size = reader.integer("ffn_hidden_size", config.ffn_hidden_size, {1, 262144});
    config.layernorm_epsilon = reader.number("layernorm_epsilon", config.layernorm_epsilon, {0.0, 1.0});
    if (config.hidden_size % config.num_heads != 0)
        reader.refuse("num_attention_heads", "a divisor of hidden_size is expected");
    if (config.num_heads % config.num_groups != 0)
        reader.refuse("num_attention_groups", "a divisor of num_attention_heads is expected");
    return config;
}

Tensor step_llm_bias(std::int64_t num_heads, std::int64_t length) {
    const auto positions = at::arange(length, at::kFloat);
    const auto distance = positions.unsqueeze(1) - positions.unsqueeze(0);  // query - key
    const auto slopes = at::tensor(alibi_slopes(num_heads), at::kFloat).view({-1, 1, 1});
    const auto bias = distance.clamp_min(0).sqrt_().unsqueeze(0) * -slopes;
    return bias.masked_fill_(distance.lt(0), -std::numeric_limits<float>::infinity());
}

StepLlmEncoder::StoredLayer::StoredLayer(const WeightScope& scope, const StepLlmConfig& config)
    : attention_norm(scope.take("attention_norm.weight", {config.hidden_size})),
      wqkv(scope.take("attention.wqkv.weight",
                      {config.hidden_size + 2 * config.num_groups * config.head_dim(), config.hidden_size})),
      wo(scope.take("attention.wo.weight", {config.hidden_size, config.hidden_size})),
      ffn_norm(scope.take("ffn_norm.weight", {config.hidden_size})),
      w1(scope.take("feed_forward.w1.weight", {2 * config.ffn_dim(), config.hidden_size})),
      w2(scope.take("feed_forward.w2.weight", {config.hidden_size, config.ffn_dim()})) {}

StepLlmEncoder::StepLlmEncoder(const WeightScope& scope, const StepLlmConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      embedding_(scope.take("tok_embeddings.word_embeddings.weight", {config.vocab_size, config.hidden_size})) {
    layers_.reserve(static_cast<std::size_t>(config.num_layers));
    for (std::int64_t i = 0; i < config.num_layers; ++i)
        layers_.emplace_back(scope / "transformer" / "layers" / i, config);
}

Tensor StepLlmEncoder::encode(const Tensor& input_ids, const Tensor&, const ForwardContext& context) {
    const auto& device = precision_.device;
    auto hidden_states = at::embedding(embedding_, input_ids.to(embedding_.device())).to(device, at::kFloat);
    context.observe("embed", hidden_states);
    const auto bias = step_llm_bias(config_.num_heads, input_ids.size(1)).to(device);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const Layer layer(layers_[i], config_, precision_);
        const auto site = "blocks." + std::to_string(i);
        const auto attn_op = context.op(site + ".attn", precision_);
        const auto attn = layer.attention(hidden_states, bias, attn_op);
        context.observe(site + ".attn", attn, attn_op);
        hidden_states = hidden_states + attn;
        const auto ff_op = context.op(site + ".ff", precision_);
        const auto ff = layer.feed_forward(hidden_states, ff_op);
        context.observe(site + ".ff", ff, ff_op);
        hidden_states = hidden_states + ff;
        context.observe(site, hidden_states);
    }
    return hidden_states;
}

}  // namespace kinescope
