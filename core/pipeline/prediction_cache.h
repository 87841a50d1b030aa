#pragma once

#include <optional>
#include <vector>

#include "core/models/diffusion_model.h"

namespace kinescope {

/// The state of a PredictionCache between two steps.
struct PredictionCacheState {
    Tensor latents;                     ///< the model's input in the previous step; undefined before the first step
    Tensor prediction;                  ///< of the first branch, in the previous step
    std::vector<Tensor> offsets;        ///< prediction - input at the last computed step, one for each branch
    std::vector<Branch> branches = {};  ///< of `offsets`; empty: unknown (checkpoint of an earlier version)
    bool has_nag = false;               ///< the last computed step had normalized attention guidance
    double rate = 0;                    ///< change of the prediction (reused or computed) relative to the change of the
                                        ///< input, measured at the last computed step; 0: not known yet
    double expected_error = 0;          ///< estimated relative error that has accumulated since the last computed step
    int expert = 0;                     ///< the expert that made the last prediction
};

/// The inputs of one step that the cache needs.
struct CachedStep {
    const Tensor& latents;                          ///< float32, the model's input
    int expert = 0;                                 ///< DiffusionModel::expert
    std::vector<Branch> branches = {Branch::cond};  ///< of guidance
    bool has_nag = false;                           ///< normalized attention guidance is on
};

/// Step caching (EasyCache, arXiv:2507.02860): reuses the last prediction, shifted by the change of the latents, while
/// the prediction hardly changes. Estimates its change from the rate at the last two steps. The sum of the estimates
/// since the last computed step must stay below a threshold. Reads one number from the device in each step.
class PredictionCache {
public:
    /// `threshold` is the largest estimated relative error, 0 to 1. If it is 0, every step is computed.
    explicit PredictionCache(double threshold) : threshold_(threshold) {}

    /// Returns reused predictions for this step, one for each branch, or nullopt if the model must be evaluated, as it
    /// must if the last computed step lacks one of the branches.
    std::optional<std::vector<Tensor>> reuse(const CachedStep& step);
    /// Saves the model's predictions, one for each branch.
    void keep(const CachedStep& step, const std::vector<Tensor>& predictions);

    const PredictionCacheState& snapshot() const { return state_; }
    void restore(const PredictionCacheState& state) { state_ = state; }

private:
    bool is_on() const { return threshold_ > 0; }
    /// Returns the kept offsets of the step's branches, or nullopt if one of them was not kept.
    std::optional<std::vector<Tensor>> offsets_for(const CachedStep& step) const;

    double threshold_;
    PredictionCacheState state_;
};

}  // namespace kinescope
