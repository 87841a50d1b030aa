#pragma once

#include "core/models/diffusion_model.h"

namespace kinescope {

/// CFG-Zero* (Fan et al., arXiv:2503.18886): scales `uncond` to its projection on `cond` before guidance. All tensors
/// are float32 of the same shape, with one video; `scale` broadcasts over them.
Tensor cfg_zero_star(const Tensor& cond, const Tensor& uncond, const Tensor& scale);

/// Settings of adaptive projected guidance.
struct ApgSettings {
    double momentum = 0;  ///< share of the average of earlier directions
    double rescale = 0;   ///< largest norm of the direction; 0: no limit
    double eta = 1;       ///< share of the part parallel to the conditional prediction
};

/// A guided prediction, and the average of the directions so far.
struct ApgResult {
    Tensor prediction;
    Tensor average;
};

/// Adaptive projected guidance (Sadat et al., arXiv:2410.02416): cond + (scale - 1) * direction. `average`: that of the
/// previous guided step; undefined in the first. Equals AdaptiveProjectedGuidance of diffusers with
/// `use_original_formulation`, whose guidance_scale is one smaller.
ApgResult adaptive_projected_guidance(const Tensor& cond, const Tensor& uncond, const Tensor& scale,
                                      const ApgSettings& settings, const Tensor& average);

/// Normalized attention guidance (Chen et al., arXiv:2505.21179) of the outputs of attention [1, n, D] to the prompt
/// and to the negative prompt, with all heads side by side. Computes in float32 and returns float32.
Tensor normalized_attention_guidance(const Tensor& positive, const Tensor& negative, const NagSettings& settings);

}  // namespace kinescope
