#pragma once

#include <string>
#include <vector>

#include "core/models/diffusion_model.h"

namespace kinescope {

/// One pass of the denoiser within a step.
struct GuidanceBranch {
    std::string name;  ///< "cond", "uncond"
    Tensor prompt_embeds;
};

/// Classifier-free guidance (Ho and Salimans, arXiv:2207.12598): which passes a step needs, and how they combine.
class Guider {
public:
    /// Guidance is off for a scale of 1 and below, or without negative embeddings.
    Guider(const Conditioning& conditioning, double guidance_scale);

    const std::vector<GuidanceBranch>& branches() const { return branches_; }
    /// `predictions`: float32, one for each branch, in their order.
    Tensor combine(const std::vector<Tensor>& predictions) const;

private:
    std::vector<GuidanceBranch> branches_;
    double guidance_scale_;
};

}  // namespace kinescope
