#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/json.h"
#include "core/device/precision.h"
#include "core/nn/block_stream.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/text_encoders/text_encoder.h"

namespace kinescope {

/// Which layers have a table of relative position biases.
enum class PositionBias {
    first_layer,  ///< T5: layer 0 has a table, which all layers use
    each_layer,   ///< UMT5
};

struct T5Config {
    PositionBias position_bias = PositionBias::each_layer;
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

/// Reads config.json of T5 v1.1 or UMT5. Throws Error(bad_config) for values out of range, and Error(unsupported) for
/// other models or feed-forward types.
T5Config read_t5_config(const Json& json, const std::filesystem::path& file);

/// Returns T5's bidirectional bucket of a relative position (key - query), in [0, num_buckets).
std::int64_t relative_position_bucket(std::int64_t relative_position, std::int64_t num_buckets,
                                      std::int64_t max_distance);

/// The encoder of T5 v1.1 and UMT5, which differ in the location of the position bias tables. Residual stream, norms,
/// scores, softmax and the gated product are float32; matrix products run in Precision::compute. In float16, `wo`
/// computes in float32 because it overflows in published models. Sites: "embed", "blocks.N.attn" (inner: "q", "k", "v",
/// "product", "o"), "blocks.N.ff" (inner: "wi_0", "wi_1", "wo"), "blocks.N", "final_norm".
class T5Encoder final : public TextEncoder {
public:
    T5Encoder(const WeightScope& scope, const T5Config& config, const Precision& precision);
    /// Encodes tokens. An undefined `attention_mask` means that all tokens are real.
    Tensor encode(const Tensor& input_ids, const Tensor& attention_mask, const ForwardContext& context) override;

private:
    struct Block {
        Block(const WeightScope& scope, const T5Config& config, const Precision& precision);
        RMSNorm attn_norm;
        Linear q, k, v, o;
        Tensor bias_table;  ///< [num_buckets, num_heads]; undefined if the layer uses the first layer's table
        RMSNorm ff_norm;
        Linear wi_0, wi_1, wo;
    };

    struct Positions {
        Tensor buckets;      ///< int64 [N, N]
        Tensor mask;         ///< added to the scores; undefined if there is none
        Tensor shared_bias;  ///< [H, N, N] from the first layer; undefined if each layer has its own
    };

    Positions positions(std::int64_t length, const Tensor& attention_mask) const;
    Tensor attention(const Block& block, const Tensor& hidden_states, const Positions& positions,
                     const OpScope& scope) const;
    Tensor feed_forward(const Block& block, const Tensor& hidden_states, const OpScope& scope) const;

    T5Config config_;
    Precision precision_;
    StoredWeight embedding_;
    Tensor shared_bias_table_;  ///< of the first layer; undefined if each layer has its own
    BlockStream<Block> blocks_;
    RMSNorm final_norm_;
};

}  // namespace kinescope
