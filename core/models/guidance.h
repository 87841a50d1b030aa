#pragma once

#include <limits>
#include <span>
#include <vector>

#include "core/models/diffusion_model.h"

namespace kinescope {

/// Classifier-free guidance (Ho and Salimans, arXiv:2207.12598): which passes a step needs, and how they combine.
struct Guidance {
    std::vector<Branch> branches = {Branch::cond};
    /// float32, one for each step (or one for all), broadcast over [1, C, F, H, W].
    std::vector<Tensor> scales;

    /// Outside of these steps only the first branch counts (Kynkaanniemi et al., arXiv:2404.07724).
    int first_step = 0;
    int end_step = std::numeric_limits<int>::max();

    std::span<const Branch> branches_at(int step) const;
    /// `predictions`: float32, one for each of branches_at, in their order.
    Tensor combine(int step, const std::vector<Tensor>& predictions) const;
};

/// One scale for all steps; one pass only for a scale of 1 and below, or without negative embeddings.
Guidance constant_guidance(const Conditioning& conditioning, double guidance_scale);

/// The same from `start` to `stop`, parts of a run of `num_steps` (0 to 1), alone.
Guidance within(Guidance guidance, double start, double stop, int num_steps);

}  // namespace kinescope
