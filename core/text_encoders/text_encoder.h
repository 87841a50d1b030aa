#pragma once

#include "core/device/tensor.h"
#include "core/numerics/probe.h"

namespace kinescope {

class TextEncoder {
public:
    virtual ~TextEncoder() = default;
    /// Encodes tokens. `input_ids` and `attention_mask` are int64 [B, N]. Returns last_hidden_state [B, N, D] in
    /// float32.
    virtual Tensor encode(const Tensor& input_ids, const Tensor& attention_mask, const ForwardContext& context) = 0;
};

}  // namespace kinescope
