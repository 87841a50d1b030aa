#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/device/precision.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/text_encoders/text_encoder.h"

namespace kinescope {

/// The options in config.json of BertModel. The defaults are those of the text tower of Hunyuan's bilingual CLIP.
struct BertConfig {
    std::int64_t vocab_size = 47020;
    std::int64_t hidden_size = 1024;
    std::int64_t num_layers = 24;
    std::int64_t num_heads = 16;
    std::int64_t intermediate_size = 4096;
    std::int64_t max_position_embeddings = 512;
    std::int64_t type_vocab_size = 2;
    double layer_norm_eps = 1e-12;
};

/// Reads config.json of BertModel. Throws Error(bad_config) for values out of range, and Error(unsupported) for
/// relative positions or an activation other than exact GELU.
BertConfig read_bert_config(const Json& json, const std::filesystem::path& file);

/// BERT: bidirectional, with post-norm residual blocks and learned positions. Returns last_hidden_state. The residual
/// stream, norms and activations are float32; matrix products run in Precision::compute. Sites: "embeddings",
/// "blocks.N.attn", "blocks.N.ff", "blocks.N".
class BertEncoder final : public TextEncoder {
public:
    /// `scope` contains the weights of the encoder: in a file with a complete CLIP model, the text tower "bert".
    BertEncoder(const WeightScope& scope, const BertConfig& config, const Precision& precision);
    /// Returns prefixes of names of the tensors that it does not use: the vision tower and the projections of a
    /// complete CLIP model, and the pooler.
    static std::vector<std::string> unneeded() {
        return {"visual.", "text_projection",        "logit_scale", "bert.pooler.", "bert.embeddings.position_ids",
                "pooler.", "embeddings.position_ids"};
    }
    /// Accepts at most max_position_embeddings tokens.
    Tensor encode(const Tensor& input_ids, const Tensor& attention_mask, const ForwardContext& context) override;

private:
    struct Block {
        Block(const WeightScope& scope, const BertConfig& config, const Precision& precision);
        Linear query, key, value, attention_output;
        LayerNorm attention_norm;
        Linear intermediate, output;
        LayerNorm output_norm;
    };

    Tensor embed(const Tensor& input_ids) const;
    Tensor attention(const Block& block, const Tensor& hidden_states, const Tensor& bias, const OpPrecision& op) const;

    BertConfig config_;
    Precision precision_;
    Tensor words_, positions_, types_;
    LayerNorm embeddings_norm_;
    std::vector<Block> blocks_;
};

}  // namespace kinescope
