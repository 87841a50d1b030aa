#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "core/api/resolved_request.h"
#include "core/models/diffusion_model.h"
#include "core/models/guidance_methods.h"

namespace kinescope {

/// State of guidance between two steps.
struct GuidanceState {
    Tensor average;  ///< of the directions of adaptive projected guidance; undefined before the first guided step
};

/// Steps [first, end).
struct StepRange {
    int first = 0;
    int end = std::numeric_limits<int>::max();

    bool contains(int step) const { return step >= first && step < end; }
};

/// A method of guidance and its settings.
struct GuidanceSettings {
    GuidanceMethod method = GuidanceMethod::standard;
    int zero_init_steps = 0;  ///< cfg_zero_star: first steps whose prediction is zero
    ApgSettings apg = {};
    std::vector<int> skipped_blocks = {};
    double skip_scale = 0;
    StepRange skip_steps = {};
    NagSettings nag = {};
};

/// Guidance: the branches of each step and their combination.
struct Guidance {
    std::vector<Branch> branches = {Branch::cond};
    /// The guidance scales, float32: one per step, or one for all steps. They broadcast over [1, C, F, H, W].
    std::vector<Tensor> scales;
    /// Other steps evaluate only the first branch (Kynkaanniemi et al., arXiv:2404.07724).
    StepRange steps = {};
    GuidanceSettings settings = {};

    /// Returns true if the prediction of a step is zero, so that the model need not be evaluated (CFG-Zero*).
    bool is_zero(int step) const;
    /// The evaluations of a step that is not zero.
    std::vector<Branch> branches_at(int step) const;
    /// The setting of normalized attention guidance in a step; nullopt: it is off.
    std::optional<NagSettings> nag_at(int step) const;
    /// `predictions`: float32, one for each element of branches_at(step), in that order. Changes `state`.
    Tensor combine(int step, const std::vector<Tensor>& predictions, GuidanceState& state) const;
};

/// Returns guidance with the same scale in all steps, or none if the scale is at most 1 or there are no negative
/// embeddings.
Guidance constant_guidance(const Conditioning& conditioning, double guidance_scale);

/// Restricts guidance to the steps from `start` to `stop`, both fractions of `num_steps` in [0, 1].
Guidance within(Guidance guidance, double start, double stop, int num_steps);

/// Applies the request's guidance method to a run of `num_steps`.
Guidance with_method(Guidance guidance, const ResolvedSampling& sampling, int num_steps);

}  // namespace kinescope
