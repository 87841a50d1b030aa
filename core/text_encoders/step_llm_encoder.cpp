#include "core/text_encoders/step_llm_encoder.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "core/base/config_reader.h"
#include "core/nn/attention.h"

namespace kinescope {

namespace {

/// Returns ALiBi's slopes for any number of heads: the geometric series for the largest power of two, then every other
/// slope of the next series.
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
        reader.refuse("num_attention_heads", "it must be a divisor of hidden_size");
    if (config.num_heads % config.num_groups != 0)
        reader.refuse("num_attention_groups", "it must be a divisor of num_attention_heads");
    return config;
}

Tensor step_llm_bias(std::int64_t num_heads, std::int64_t length) {
    const auto positions = at::arange(length, at::kFloat);
    const auto distance = positions.unsqueeze(1) - positions.unsqueeze(0);  // query - key
    const auto slopes = at::tensor(alibi_slopes(num_heads), at::kFloat).view({-1, 1, 1});
    const auto bias = distance.clamp_min(0).sqrt_().unsqueeze(0) * -slopes;
    return bias.masked_fill_(distance.lt(0), -std::numeric_limits<float>::infinity());
}

StepLlmEncoder::Layer::Layer(const WeightScope& scope, const StepLlmConfig& config, const Precision& precision)
    : config_(config),
      attention_norm_(scope / "attention_norm", config.hidden_size, config.layernorm_epsilon, precision),
      wqkv_(scope / "attention" / "wqkv",
            {.in = config.hidden_size,
             .out = config.hidden_size + 2 * config.num_groups * config.head_dim(),
             .bias = Bias::none},
            precision),
      wo_(scope / "attention" / "wo", {.in = config.hidden_size, .out = config.hidden_size, .bias = Bias::none},
          precision),
      ffn_norm_(scope / "ffn_norm", config.hidden_size, config.layernorm_epsilon, precision),
      w1_(scope / "feed_forward" / "w1", {.in = config.hidden_size, .out = 2 * config.ffn_dim(), .bias = Bias::none},
          precision),
      w2_(scope / "feed_forward" / "w2", {.in = config.ffn_dim(), .out = config.hidden_size, .bias = Bias::none},
          precision) {}

/// Computes self-attention. wqkv contains all queries first, then the keys and values of each group.
Tensor StepLlmEncoder::Layer::attention(const Tensor& hidden_states, const Tensor& bias, const OpPrecision& op) const {
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

Tensor StepLlmEncoder::Layer::feed_forward(const Tensor& hidden_states, const OpPrecision& op) const {
    const auto halves = w1_(ffn_norm_(hidden_states), op).to(at::kFloat).chunk(2, -1);
    return w2_(at::silu(halves[0]) * halves[1], op);
}

StepLlmEncoder::StepLlmEncoder(const WeightScope& scope, const StepLlmConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      // The embedding table keeps its storage dtype, because its rows are only looked up.
      embedding_(scope.take_stored("tok_embeddings.word_embeddings.weight", {config.vocab_size, config.hidden_size})),
      layers_(scope, precision, config.num_layers,
              [=](std::int64_t i) { return Layer(scope / "transformer" / "layers" / i, config, precision); }) {}

Tensor StepLlmEncoder::encode(const Tensor& input_ids, const Tensor&, const ForwardContext& context) {
    const auto& device = precision_.device;
    auto hidden_states = embedding_.rows(input_ids.to(embedding_.data.device()), at::kFloat).to(device);
    context.observe("embed", hidden_states);
    const auto bias = step_llm_bias(config_.num_heads, input_ids.size(1)).to(device);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const auto& layer = layers_[i];
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
