#pragma once

#include <string>

#include "core/nn/linear.h"
#include "core/numerics/probe.h"

namespace kinescope::svd {

struct AttentionConfig {
    std::int64_t dim = 0;
    std::int64_t num_heads = 1;
    Bias bias = Bias::none;  ///< for queries, keys and values
};

/// Self-attention. Sites: "<name>.to_q", "<name>.to_k", "<name>.to_v", and "<name>" for the rest. With separate sites,
/// the guard can name the projection that overflows.
class SelfAttention {
public:
    SelfAttention(const WeightScope& scope, std::string name, const AttentionConfig& config,
                  const Precision& precision);
    /// Maps [B, L, D] -> [B, L, D], in the dtype that Linear returns, for B independent sequences.
    Tensor operator()(const Tensor& x, const ForwardContext& context) const;

private:
    std::string name_;
    Precision precision_;
    std::int64_t num_heads_;
    Linear to_q_, to_k_, to_v_, to_out_;
};

/// Cross-attention to a single token, whose result is that token's value for any query. Queries and keys have no
/// effect, so their weights are loaded but not used. Site: "<name>".
class CrossAttention {
public:
    CrossAttention(const WeightScope& scope, std::string name, std::int64_t dim, std::int64_t context_dim,
                   const Precision& precision);
    /// Maps `context_token` [1, 1, context_dim] -> [1, 1, D], which the caller adds to every token.
    Tensor operator()(const Tensor& context_token, const ForwardContext& context) const;

private:
    std::string name_;
    Precision precision_;
    Linear to_v_, to_out_;
};

}  // namespace kinescope::svd
