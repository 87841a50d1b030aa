#pragma once

#include "core/models/wan/config.h"
#include "core/nn/attention.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/numerics/probe.h"

namespace kinescope::wan {

struct KeyValue {
    Tensor key;    ///< [1, H, n, D], normalised
    Tensor value;  ///< [1, H, n, D]
};

/// What the tokens of a video attend to besides each other.
struct CrossContext {
    KeyValue text;
    KeyValue image;   ///< undefined: none
    Tensor key_bias;  ///< added to the scores of the text; may be undefined
};

/// Attention of Wan: queries and keys are normalised over all heads together, before the heads are split. Inner sites:
/// "to_q", "to_k", "to_v", "add_k_proj", "add_v_proj", "product" (softmax times values), "to_out.0".
class Attention {
public:
    enum class ImageBranch { none, present };

    Attention() = default;
    Attention(const WeightScope& scope, const TransformerConfig& config, ImageBranch image, const Precision& precision);

    /// Tokens attend to each other; `rotary` [L, head_dim / 2] turns queries and keys. [1, L, D] -> [1, L, D].
    Tensor attend_self(const Tensor& x, const Tensor& rotary, const OpScope& scope) const;
    /// Keys and values of text and image tokens [1, n, D]: they do not change between steps. No `image`: undefined.
    KeyValue project_text(const Tensor& text, const OpScope& scope) const;
    KeyValue project_image(const Tensor& image, const OpScope& scope) const;
    /// Tokens attend to a text and, with a softmax of its own, to an image; the two answers are added.
    Tensor attend_context(const Tensor& x, const CrossContext& context, const OpScope& scope) const;

private:
    Tensor observed(const char* inner, const Linear& linear, const Tensor& x, const OpScope& scope) const;
    Tensor product(const AttentionInput& input, const OpScope& scope) const;
    Tensor rotated(const Tensor& normalised, const Tensor& rotary) const;

    std::int64_t num_heads_ = 1;
    Linear to_q_, to_k_, to_v_, to_out_;
    RMSNorm norm_q_, norm_k_;
    Linear add_k_proj_, add_v_proj_;  ///< of the image
    RMSNorm norm_added_k_;
};

}  // namespace kinescope::wan
