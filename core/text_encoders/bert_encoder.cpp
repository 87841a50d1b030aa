#include "core/text_encoders/bert_encoder.h"

#include <ATen/ATen.h>

#include <limits>

#include "core/api/error.h"
#include "core/base/config_reader.h"
#include "core/nn/attention.h"
#include "core/nn/parameter.h"

namespace kinescope {

namespace {

/// Returns the bias of the attention scores, [B, 1, 1, N]: 0 for real tokens, the lowest float for padding.
Tensor key_bias(const Tensor& attention_mask, const Device& device) {
    const auto padding = attention_mask.to(device).eq(0).unsqueeze(1).unsqueeze(1);
    return at::zeros(padding.sizes(), padding.options().dtype(at::kFloat))
        .masked_fill_(padding, std::numeric_limits<float>::lowest());
}

void check_kind(const ConfigReader& reader, const std::filesystem::path& file) {
    for (const auto& [key, wanted] :
         {std::pair{"hidden_act", "gelu"}, std::pair{"position_embedding_type", "absolute"}})
        if (const auto value = reader.text(key, wanted); value != wanted)
            throw Error(ErrorCode::unsupported,
                        file.string() + ": " + key + " is " + value + "; only " + wanted + " is supported");
}

}  // namespace

BertConfig read_bert_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    check_kind(reader, file);
    BertConfig config;
    config.vocab_size = reader.integer("vocab_size", config.vocab_size, {1, 4'000'000});
    config.hidden_size = reader.integer("hidden_size", config.hidden_size, {1, 65536});
    config.num_layers = reader.integer("num_hidden_layers", config.num_layers, {1, 200});
    config.num_heads = reader.integer("num_attention_heads", config.num_heads, {1, 512});
    config.intermediate_size = reader.integer("intermediate_size", config.intermediate_size, {1, 262144});
    config.max_position_embeddings =
        reader.integer("max_position_embeddings", config.max_position_embeddings, {1, 65536});
    config.type_vocab_size = reader.integer("type_vocab_size", config.type_vocab_size, {1, 64});
    config.layer_norm_eps = reader.number("layer_norm_eps", config.layer_norm_eps, {0.0, 1.0});
    if (config.hidden_size % config.num_heads != 0)
        reader.refuse("num_attention_heads", "it must be a divisor of hidden_size");
    return config;
}

BertEncoder::Block::Block(const WeightScope& scope, const BertConfig& config, const Precision& precision) {
    const LinearConfig square{.in = config.hidden_size, .out = config.hidden_size};
    const auto self = scope / "attention" / "self";
    query = Linear(self / "query", square, precision);
    key = Linear(self / "key", square, precision);
    value = Linear(self / "value", square, precision);
    const auto attention = scope / "attention" / "output";
    attention_output = Linear(attention / "dense", square, precision);
    attention_norm = LayerNorm(attention / "LayerNorm", config.hidden_size, config.layer_norm_eps, precision);
    intermediate = Linear(scope / "intermediate" / "dense", {.in = config.hidden_size, .out = config.intermediate_size},
                          precision);
    output = Linear(scope / "output" / "dense", {.in = config.intermediate_size, .out = config.hidden_size}, precision);
    output_norm = LayerNorm(scope / "output" / "LayerNorm", config.hidden_size, config.layer_norm_eps, precision);
}

BertEncoder::BertEncoder(const WeightScope& whole, const BertConfig& config, const Precision& precision)
    : config_(config), precision_(precision) {
    const auto scope = whole.has("bert.embeddings.word_embeddings.weight") ? whole / "bert" : whole;
    const auto embeddings = scope / "embeddings";
    const auto dim = config.hidden_size;
    words_ = (embeddings / "word_embeddings").take("weight", {config.vocab_size, dim});
    positions_ = to_float32((embeddings / "position_embeddings").take("weight", {config.max_position_embeddings, dim}),
                            precision);
    types_ =
        to_float32((embeddings / "token_type_embeddings").take("weight", {config.type_vocab_size, dim}), precision);
    embeddings_norm_ = LayerNorm(embeddings / "LayerNorm", dim, config.layer_norm_eps, precision);
    blocks_.reserve(static_cast<std::size_t>(config.num_layers));
    for (std::int64_t i = 0; i < config.num_layers; ++i)
        blocks_.emplace_back(scope / "encoder" / "layer" / i, config, precision);
}

Tensor BertEncoder::embed(const Tensor& input_ids) const {
    const auto words = at::embedding(words_, input_ids.to(words_.device())).to(precision_.device, at::kFloat);
    return embeddings_norm_(words + positions_.narrow(0, 0, input_ids.size(1)) + types_[0]);
}

Tensor BertEncoder::attention(const Block& block, const Tensor& hidden_states, const Tensor& bias,
                              const OpPrecision& op) const {
    const auto attended =
        scaled_dot_product_attention({.query = split_heads(block.query(hidden_states, op), config_.num_heads),
                                      .key = split_heads(block.key(hidden_states, op), config_.num_heads),
                                      .value = split_heads(block.value(hidden_states, op), config_.num_heads),
                                      .bias = bias,
                                      .scale = {}},
                                     op);
    return block.attention_output(merge_heads(attended), op);
}

Tensor BertEncoder::encode(const Tensor& input_ids, const Tensor& attention_mask, const ForwardContext& context) {
    if (input_ids.size(1) > config_.max_position_embeddings)
        throw Error(ErrorCode::bad_request, "The text has " + std::to_string(input_ids.size(1)) +
                                                " tokens, but this encoder supports at most " +
                                                std::to_string(config_.max_position_embeddings));
    auto hidden_states = embed(input_ids);
    context.observe("embeddings", hidden_states);
    const auto bias = key_bias(attention_mask, precision_.device);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const auto& block = blocks_[i];
        const auto site = "blocks." + std::to_string(i);
        const auto attn_op = context.op(site + ".attn", precision_);
        const auto attn = attention(block, hidden_states, bias, attn_op);
        context.observe(site + ".attn", attn, attn_op);
        hidden_states = block.attention_norm(hidden_states + attn);
        const auto ff_op = context.op(site + ".ff", precision_);
        const auto ff = block.output(at::gelu(block.intermediate(hidden_states, ff_op).to(at::kFloat)), ff_op);
        context.observe(site + ".ff", ff, ff_op);
        hidden_states = block.output_norm(hidden_states + ff);
        context.observe(site, hidden_states);
    }
    return hidden_states;
}

}  // namespace kinescope
