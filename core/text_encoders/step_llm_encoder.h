#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/json.h"
#include "core/device/precision.h"
#include "core/nn/block_stream.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/text_encoders/text_encoder.h"

namespace kinescope {

/// The options in config.json of Step1Model.
struct StepLlmConfig {
    std::int64_t vocab_size = 65536;  ///< padded_vocab_size
    std::int64_t hidden_size = 6144;
    std::int64_t num_layers = 48;
    std::int64_t num_heads = 48;
    std::int64_t num_groups = 8;  ///< number of key/value groups; the heads of a group share keys and values
    std::int64_t ffn_hidden_size = 16896;
    double layernorm_epsilon = 1e-5;

    std::int64_t head_dim() const { return hidden_size / num_heads; }
    /// Returns the width in the files: ffn_hidden_size rounded up to a multiple of 256.
    std::int64_t ffn_dim() const { return (ffn_hidden_size + 255) / 256 * 256; }
};

/// Reads config.json of Step1Model. Throws Error(bad_config) for values out of range, a width that is not a multiple of
/// the number of heads, or a number of heads that is not a multiple of the number of groups.
StepLlmConfig read_step_llm_config(const Json& json, const std::filesystem::path& file);

/// Returns the bias that attention adds to the scores, float32 [H, N, N]: -slope_h * sqrt(i - j) for keys j up to the
/// query i, -inf for later keys. The slopes are those of ALiBi (Press et al., arXiv:2108.12409). The square root is
/// specific to Step-LLM: it is part of its attention kernel and appears in none of the published files.
Tensor step_llm_bias(std::int64_t num_heads, std::int64_t length);

/// Step-LLM: a causal decoder with 19.6 billion parameters. Its last residual stream, without normalization, represents
/// the text. Residual stream, norms, scores, bias, softmax and the gated product are float32; matrix products run in
/// Precision::compute. Padding on the right has no effect, because attention is causal. Sites: "embed",
/// "blocks.N.attn", "blocks.N.ff", "blocks.N".
class StepLlmEncoder final : public TextEncoder {
public:
    StepLlmEncoder(const WeightScope& scope, const StepLlmConfig& config, const Precision& precision);
    /// Encodes several prompts in one pass over the weights. Ignores the mask.
    Tensor encode(const Tensor& input_ids, const Tensor& attention_mask, const ForwardContext& context) override;

private:
    class Layer {
    public:
        Layer(const WeightScope& scope, const StepLlmConfig& config, const Precision& precision);
        Tensor attention(const Tensor& hidden_states, const Tensor& bias, const OpPrecision& op) const;
        Tensor feed_forward(const Tensor& hidden_states, const OpPrecision& op) const;

    private:
        StepLlmConfig config_;
        RMSNorm attention_norm_;
        Linear wqkv_, wo_;
        RMSNorm ffn_norm_;
        Linear w1_, w2_;
    };

    StepLlmConfig config_;
    Precision precision_;
    StoredWeight embedding_;
    BlockStream<Layer> layers_;
};

}  // namespace kinescope
