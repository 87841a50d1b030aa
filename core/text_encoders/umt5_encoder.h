#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/json.h"
#include "core/device/precision.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/text_encoders/text_encoder.h"

namespace kinescope {

struct UMT5Config {
    std::int64_t vocab_size = 256384;
    std::int64_t d_model = 4096;
    std::int64_t d_kv = 64;
    std::int64_t d_ff = 10240;
    std::int64_t num_layers = 24;
    std::int64_t num_heads = 64;
    std::int64_t num_buckets = 32;
    std::int64_t max_distance = 128;
    double layer_norm_epsilon = 1e-6;
};

/// Reads config.json. Throws Error(bad_config) for values out of range, Error(unsupported) for another feed-forward.
UMT5Config read_umt5_config(const Json& json, const std::filesystem::path& file);

/// T5's bucket of a relative position (key - query), bidirectional: [0, num_buckets).
std::int64_t relative_position_bucket(std::int64_t relative_position, std::int64_t num_buckets,
                                      std::int64_t max_distance);

/// The encoder of UMT5: as T5 v1.1, but with a bias table in each layer.
/// Residual stream, norms, scores, softmax and the gated product are float32; matrix products run in
/// Precision::compute, except `wo`, which leaves the float16 range in published models and computes in float32 there.
/// Sites: "embed", "blocks.N.attn", "blocks.N.ff", "blocks.N", "final_norm".
class UMT5Encoder final : public TextEncoder {
public:
    UMT5Encoder(const WeightScope& scope, const UMT5Config& config, const Precision& precision);
    /// `attention_mask` may be undefined: every token is real.
    Tensor encode(const Tensor& input_ids, const Tensor& attention_mask, const ForwardContext& context) override;

private:
    struct Block {
        Block(const WeightScope& scope, const UMT5Config& config, const Precision& precision);
        RMSNorm attn_norm;
        Linear q, k, v, o;
        Tensor bias_table;  ///< [num_buckets, num_heads]
        RMSNorm ff_norm;
        Linear wi_0, wi_1, wo;
    };

    struct Positions {
        Tensor buckets;  ///< int64 [N, N]
        Tensor mask;     ///< added to the scores; undefined: none
    };

    Tensor attention(const Block& block, const Tensor& hidden_states, const Positions& positions,
                     const OpPrecision& op) const;
    Tensor feed_forward(const Block& block, const Tensor& hidden_states, const OpPrecision& op) const;

    UMT5Config config_;
    Precision precision_;
    Tensor embedding_;
    std::vector<Block> blocks_;
    RMSNorm final_norm_;
};

}  // namespace kinescope
