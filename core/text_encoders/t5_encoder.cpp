#include "core/text_encoders/t5_encoder.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/api/error.h"
#include "core/base/config_reader.h"
#include "core/nn/attention.h"
#include "core/nn/parameter.h"
#include "core/nn/rounding.h"

namespace kinescope {

namespace {

Precision output_precision(const Precision& precision) {
    return precision.compute == at::kHalf ? float32_compute(precision) : precision;
}

/// Returns the bucket of each pair of positions: int64 [N, N], query first.
Tensor bucket_table(std::int64_t length, const T5Config& config) {
    auto table = at::empty({length, length}, at::kLong);
    auto* values = table.data_ptr<std::int64_t>();
    for (std::int64_t query = 0; query < length; ++query)
        for (std::int64_t key = 0; key < length; ++key)
            *values++ = relative_position_bucket(key - query, config.num_buckets, config.max_distance);
    return table;
}

/// Returns the bias of the attention scores, [B, 1, 1, N]: 0 for real tokens, the lowest float for padding. Returns an
/// undefined tensor if there is no mask.
Tensor additive_mask(const Tensor& attention_mask, const Device& device) {
    if (!attention_mask.defined()) return {};
    const auto padding = attention_mask.to(device).eq(0).unsqueeze(1).unsqueeze(1);
    return at::zeros(padding.sizes(), padding.options().dtype(at::kFloat))
        .masked_fill_(padding, std::numeric_limits<float>::lowest());
}

/// Returns the name of the embedding. Published files call it "shared.weight", "encoder.embed_tokens.weight", or both.
std::string embedding_name(const WeightScope& scope) {
    return !scope.has("shared.weight") && scope.has("encoder.embed_tokens.weight") ? "encoder.embed_tokens.weight"
                                                                                   : "shared.weight";
}

/// Takes the bias table of one layer: [num_buckets, num_heads].
Tensor bias_table(const WeightScope& layer, const T5Config& config, const Precision& precision) {
    const auto table = layer / "layer" / 0 / "SelfAttention" / "relative_attention_bias";
    return to_float32(table.take("weight", {config.num_buckets, config.num_heads}), precision);
}

/// Looks up the bias of each pair of positions: [H, N, N].
Tensor position_bias(const Tensor& bias_table, const Tensor& buckets) {
    return at::embedding(bias_table, buckets).permute({2, 0, 1});
}

PositionBias read_position_bias(const ConfigReader& reader, const std::filesystem::path& file) {
    const auto type = reader.text("model_type", "umt5");
    if (type == "umt5") return PositionBias::each_layer;
    if (type == "t5") return PositionBias::first_layer;
    throw Error(ErrorCode::unsupported, file.string() + ": model_type is " + type + "; only t5 and umt5 are supported");
}

}  // namespace

T5Config read_t5_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    T5Config config;
    config.position_bias = read_position_bias(reader, file);
    config.vocab_size = reader.integer("vocab_size", config.vocab_size, {1, 4'000'000});
    config.d_model = reader.integer("d_model", config.d_model, {1, 65536});
    config.d_kv = reader.integer("d_kv", config.d_kv, {1, 1024});
    config.d_ff = reader.integer("d_ff", config.d_ff, {1, 262144});
    config.num_layers = reader.integer("num_layers", config.num_layers, {1, 200});
    config.num_heads = reader.integer("num_heads", config.num_heads, {1, 256});
    config.num_buckets = reader.integer("relative_attention_num_buckets", config.num_buckets, {4, 1024});
    config.max_distance =
        reader.integer("relative_attention_max_distance", config.max_distance, {config.num_buckets, 65536});
    config.layer_norm_epsilon = reader.number("layer_norm_epsilon", config.layer_norm_epsilon, {0.0, 1.0});
    const auto projection = reader.text("feed_forward_proj", "gated-gelu");
    if (projection != "gated-gelu")
        throw Error(ErrorCode::unsupported,
                    file.string() + ": feed_forward_proj is " + projection + "; only gated-gelu is supported");
    return config;
}

std::int64_t relative_position_bucket(std::int64_t relative_position, std::int64_t num_buckets,
                                      std::int64_t max_distance) {
    const auto half = num_buckets / 2;
    const auto exact = half / 2;
    const auto side = relative_position > 0 ? half : 0;
    const auto distance = std::abs(relative_position);
    if (distance < exact) return side + distance;
    // Computes in float32 like the reference, because rounding decides the boundaries of the buckets.
    const float octaves = std::log(static_cast<float>(distance) / static_cast<float>(exact)) /
                          static_cast<float>(std::log(static_cast<double>(max_distance) / static_cast<double>(exact)));
    const auto bucket = exact + static_cast<std::int64_t>(octaves * static_cast<float>(half - exact));
    return side + std::min(bucket, half - 1);
}

T5Encoder::Block::Block(const WeightScope& scope, const T5Config& config, const Precision& precision) {
    const auto attn = scope / "layer" / 0;
    const auto inner = config.num_heads * config.d_kv;
    attn_norm = RMSNorm(attn / "layer_norm", config.d_model, config.layer_norm_epsilon, precision);
    const auto projections = attn / "SelfAttention";
    q = Linear(projections / "q", {config.d_model, inner, Bias::none}, precision);
    k = Linear(projections / "k", {config.d_model, inner, Bias::none}, precision);
    v = Linear(projections / "v", {config.d_model, inner, Bias::none}, precision);
    o = Linear(projections / "o", {inner, config.d_model, Bias::none}, precision);
    if (config.position_bias == PositionBias::each_layer) bias_table = kinescope::bias_table(scope, config, precision);
    const auto ff = scope / "layer" / 1;
    ff_norm = RMSNorm(ff / "layer_norm", config.d_model, config.layer_norm_epsilon, precision);
    wi_0 = Linear(ff / "DenseReluDense" / "wi_0", {config.d_model, config.d_ff, Bias::none}, precision);
    wi_1 = Linear(ff / "DenseReluDense" / "wi_1", {config.d_model, config.d_ff, Bias::none}, precision);
    wo = Linear(ff / "DenseReluDense" / "wo", {config.d_ff, config.d_model, Bias::none}, output_precision(precision));
}

T5Encoder::T5Encoder(const WeightScope& scope, const T5Config& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      // The embedding table keeps its storage dtype, because its rows are only looked up.
      embedding_(scope.take_stored(embedding_name(scope), {config.vocab_size, config.d_model})),
      blocks_(scope, precision, config.num_layers,
              [=](std::int64_t i) { return Block(scope / "encoder" / "block" / i, config, precision); }),
      final_norm_(scope / "encoder" / "final_layer_norm", config.d_model, config.layer_norm_epsilon, precision) {
    if (config.position_bias == PositionBias::first_layer)
        shared_bias_table_ = bias_table(scope / "encoder" / "block" / 0, config, precision);
}

T5Encoder::Positions T5Encoder::positions(std::int64_t length, const Tensor& attention_mask) const {
    Positions positions{.buckets = bucket_table(length, config_).to(precision_.device),
                        .mask = additive_mask(attention_mask, precision_.device),
                        .shared_bias = {}};
    if (shared_bias_table_.defined()) positions.shared_bias = position_bias(shared_bias_table_, positions.buckets);
    return positions;
}

Tensor T5Encoder::attention(const Block& block, const Tensor& hidden_states, const Positions& positions,
                            const OpScope& scope) const {
    const auto projected = [&](const char* inner, const Linear& linear) {
        const auto y = linear(hidden_states, scope.op);
        scope.observe(inner, y);
        return split_heads(y, config_.num_heads);
    };
    const auto query = projected("q", block.q).to(at::kFloat);
    const auto key = projected("k", block.k).to(at::kFloat);
    const auto value = projected("v", block.v);
    const auto bias =
        positions.shared_bias.defined() ? positions.shared_bias : position_bias(block.bias_table, positions.buckets);
    auto scores = at::matmul(query, key.transpose(-1, -2)).add_(bias);
    if (positions.mask.defined()) scores.add_(positions.mask);
    const auto product = at::matmul(at::softmax(scores, -1).to(value.scalar_type()), value);
    if (scope.op.listener != nullptr)
        measure_attention(scope.op,
                          {.query = query,
                           .key = key,
                           .value = value,
                           .bias = positions.mask.defined() ? bias + positions.mask : bias,
                           .scale = 1.0},
                          product);
    scope.observe("product", product);
    const auto y = block.o(merge_heads(product), scope.op);
    scope.observe("o", y);
    return y;
}

Tensor T5Encoder::feed_forward(const Block& block, const Tensor& hidden_states, const OpScope& scope) const {
    const auto gate = block.wi_0(hidden_states, scope.op);
    scope.observe("wi_0", gate);
    const auto values = block.wi_1(hidden_states, scope.op);
    scope.observe("wi_1", values);
    const auto product = at::gelu(gate.to(at::kFloat), "tanh") * values.to(at::kFloat);
    // If the planned dtype is float16, `wo` computes in float32 (see output_precision).
    const auto y = scope.op.compute == at::kHalf ? block.wo(product) : block.wo(product, scope.op);
    scope.observe("wo", y);
    return y;
}

Tensor T5Encoder::encode(const Tensor& input_ids, const Tensor& attention_mask, const ForwardContext& context) {
    const auto& device = precision_.device;
    auto hidden_states = embedding_.rows(input_ids.to(embedding_.data.device()), at::kFloat).to(device);
    context.observe("embed", hidden_states);
    const auto places = positions(input_ids.size(1), attention_mask);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const auto& block = blocks_[i];
        const auto site = "blocks." + std::to_string(i);
        const auto attn_site = site + ".attn";
        const OpScope attn_scope{context, attn_site, context.op(attn_site, precision_)};
        const auto attn = attention(block, block.attn_norm(hidden_states), places, attn_scope);
        context.observe(attn_site, attn, attn_scope.op);
        hidden_states = hidden_states + attn;
        const auto ff_site = site + ".ff";
        const OpScope ff_scope{context, ff_site, context.op(ff_site, precision_)};
        const auto ff = feed_forward(block, block.ff_norm(hidden_states), ff_scope);
        context.observe(ff_site, ff);
        hidden_states = hidden_states + ff;
        context.observe(site, hidden_states);
    }
    hidden_states = final_norm_(hidden_states);
    context.observe("final_norm", hidden_states);
    return hidden_states;
}

}  // namespace kinescope
