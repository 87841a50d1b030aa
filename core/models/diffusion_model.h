#pragma once

#include "core/device/tensor.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// What the text and image encoders say to the denoiser. Undefined where the model has no use for it.
struct Conditioning {
    Tensor prompt_embeds;           ///< float32 [1, N, D]
    Tensor negative_prompt_embeds;  ///< float32 [1, N, D]; undefined without guidance
    Tensor input_ids;               ///< int64 [1, N], for the record
    Tensor attention_mask;
};

struct DenoiseInput {
    Tensor latents;  ///< float32 [1, C, F, H, W]
    double timestep = 0;
    Tensor prompt_embeds;  ///< of one branch
};

class DiffusionModel {
public:
    virtual ~DiffusionModel() = default;
    /// The prediction in float32, of the shape of the latents.
    virtual Tensor predict(const DenoiseInput& input, const ForwardContext& context) = 0;
};

}  // namespace kinescope
