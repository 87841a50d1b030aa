#pragma once

#include "core/models/diffusion_model.h"
#include "core/models/wan/config.h"
#include "core/nn/attention.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/numerics/probe.h"

namespace kinescope::wan {

struct KeyValue {
    Tensor key;    ///< [1, H, n, D], normalized
    Tensor value;  ///< [1, H, n, D]
};

/// The keys and values of cross-attention.
struct CrossContext {
    KeyValue text;
    KeyValue image;   ///< undefined: none
    Tensor key_bias;  ///< added to the text scores; undefined: none
};

/// The negative prompt of normalized attention guidance.
struct NegativeContext {
    KeyValue text;
    Tensor key_bias;  ///< as in CrossContext
    NagSettings settings;
};

/// Wan normalizes queries and keys over all heads together, before it splits the heads. Inner sites: "to_q", "to_k",
/// "to_v", "add_k_proj", "add_v_proj", "product" (softmax times values), "to_out.0".
class Attention {
public:
    enum class ImageBranch { none, present };

    Attention() = default;
    Attention(const WeightScope& scope, const TransformerConfig& config, ImageBranch image, const Precision& precision);

    /// Computes self-attention [1, L, D] -> [1, L, D]. `rotary` [L, head_dim / 2] rotates queries and keys.
    Tensor attend_self(const Tensor& x, const Tensor& rotary, const OpScope& scope) const;
    /// Return the keys and values of text or image tokens [1, n, D], which are the same in all steps. If `image` is
    /// undefined, its keys and values are undefined.
    KeyValue project_text(const Tensor& text, const OpScope& scope) const;
    KeyValue project_image(const Tensor& image, const OpScope& scope) const;
    /// Cross-attention: the sum of attention to the text and, with a separate softmax, to the image. Attention to the
    /// text moves away from `negative`, if it is given.
    Tensor attend_context(const Tensor& x, const CrossContext& context, const NegativeContext* negative,
                          const OpScope& scope) const;

    /// Return the dtype to which the input of self-attention or cross-attention may be converted before, see
    /// Linear::input_dtype.
    Dtype self_input_dtype(const OpPrecision& op) const;
    Dtype context_input_dtype(const OpPrecision& op) const { return to_q_.input_dtype(op); }

private:
    std::int64_t num_heads_ = 1;
    Linear to_q_, to_k_, to_v_, to_out_;
    RMSNorm norm_q_, norm_k_;
    Linear add_k_proj_, add_v_proj_;  ///< for the image
    RMSNorm norm_added_k_;
};

}  // namespace kinescope::wan
