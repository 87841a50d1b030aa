#pragma once

#include <optional>
#include <string>

#include "core/models/svd/attention.h"
#include "core/nn/norm.h"

namespace kinescope::svd {

struct TransformerBlockConfig {
    std::int64_t dim = 0;
    std::int64_t num_heads = 1;
    std::int64_t cross_attention_dim = 0;
    /// The kind of the block. `temporal` has a feed-forward before the attention, as in diffusers'
    /// TemporalBasicTransformerBlock.
    enum class Kind { spatial, temporal } kind = Kind::spatial;
};

/// diffusers' FeedForward with GEGLU: net.2(a gelu(g)), where (a, g) = net.0.proj(x), with exact GELU. Site: "<name>".
class GegluFeedForward {
public:
    GegluFeedForward(const WeightScope& scope, std::string name, std::int64_t dim, const Precision& precision);
    Tensor operator()(const Tensor& x, const ForwardContext& context) const;

private:
    std::string name_;
    Precision precision_;
    Linear proj_, out_;
};

/// Self-attention, cross-attention to the context, and feed-forward around a float32 stream. Sites: those of
/// "<name>.attn1", "<name>.attn2", "<name>.ff", "<name>.ff_in".
class TransformerBlock {
public:
    TransformerBlock(const WeightScope& scope, const std::string& name, const TransformerBlockConfig& config,
                     const Precision& precision);
    /// Returns the tokens after the block. `x` is [B, L, D] float32 for B independent sequences; `context_token` is [1,
    /// 1, cross_attention_dim].
    Tensor forward(const Tensor& x, const Tensor& context_token, const ForwardContext& context) const;

private:
    struct Entry {
        LayerNorm norm;
        GegluFeedForward ff;
    };

    std::optional<Entry> entry_;
    LayerNorm norm1_, norm3_;
    SelfAttention attn1_;
    CrossAttention attn2_;
    GegluFeedForward ff_;
};

}  // namespace kinescope::svd
