#pragma once

#include <string>

#include "core/nn/linear.h"
#include "core/numerics/probe.h"

namespace kinescope::svd {

struct AttentionConfig {
    std::int64_t dim = 0;
    std::int64_t num_heads = 1;
    Bias bias = Bias::none;  ///< of queries, keys and values
};

/// Tokens attend to each other. Each part is a site of its own, so that the one that overflows is named:
/// "<name>.to_q", "<name>.to_k", "<name>.to_v", and "<name>" for the rest.
class SelfAttention {
public:
    SelfAttention(const WeightScope& scope, std::string name, const AttentionConfig& config,
                  const Precision& precision);
    /// [B, L, D] -> [B, L, D], in the dtype that Linear returns. B sequences that do not see each other.
    Tensor operator()(const Tensor& x, const ForwardContext& context) const;

private:
    std::string name_;
    Precision precision_;
    std::int64_t num_heads_;
    Linear to_q_, to_k_, to_v_, to_out_;
};

/// Tokens attend to a context of one token: whatever they ask, the answer is that token's value. So queries and keys
/// are read from the file, but not computed with. Site: "<name>".
class ContextAttention {
public:
    ContextAttention(const WeightScope& scope, std::string name, std::int64_t dim, std::int64_t context_dim,
                     const Precision& precision);
    /// `context_token` [1, 1, context_dim] -> [1, 1, D], to be added to every token.
    Tensor operator()(const Tensor& context_token, const ForwardContext& context) const;

private:
    std::string name_;
    Precision precision_;
    Linear to_v_, to_out_;
};

}  // namespace kinescope::svd
