#pragma once

#include <vector>

#include "core/models/diffusion_model.h"

namespace kinescope {

/// Classifier-free guidance (Ho and Salimans, arXiv:2207.12598): which passes a step needs, and how they combine.
struct Guidance {
    std::vector<Branch> branches = {Branch::cond};
    /// float32, one for each step (or one for all), broadcast over [1, C, F, H, W].
    std::vector<Tensor> scales;

    /// `predictions`: float32, one for each branch, in their order.
    Tensor combine(int step, const std::vector<Tensor>& predictions) const;
};

/// One scale for all steps; one pass only for a scale of 1 and below, or without negative embeddings.
Guidance constant_guidance(const Conditioning& conditioning, double guidance_scale);

}  // namespace kinescope
