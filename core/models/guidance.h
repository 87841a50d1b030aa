#pragma once

#include <limits>
#include <span>
#include <vector>

#include "core/models/diffusion_model.h"

namespace kinescope {

/// Classifier-free guidance (Ho and Salimans, arXiv:2207.12598): the branches of each step and their combination.
struct Guidance {
    std::vector<Branch> branches = {Branch::cond};
    /// The guidance scales, float32: one per step, or one for all steps. They broadcast over [1, C, F, H, W].
    std::vector<Tensor> scales;

    /// Steps outside [first_step, end_step) evaluate only the first branch (Kynkaanniemi et al., arXiv:2404.07724).
    int first_step = 0;
    int end_step = std::numeric_limits<int>::max();

    std::span<const Branch> branches_at(int step) const;
    /// Combines the `predictions` of a step, float32: one for each element of branches_at(step), in the same order.
    Tensor combine(int step, const std::vector<Tensor>& predictions) const;
};

/// Returns guidance with the same scale in all steps, or none if the scale is at most 1 or there are no negative
/// embeddings.
Guidance constant_guidance(const Conditioning& conditioning, double guidance_scale);

/// Restricts guidance to the steps from `start` to `stop`, both fractions of `num_steps` in [0, 1].
Guidance within(Guidance guidance, double start, double stop, int num_steps);

}  // namespace kinescope
