#pragma once

#include <optional>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// The state of a PredictionCache between two steps.
struct PredictionCacheState {
    Tensor latents;               ///< the model's input in the previous step; undefined before the first step
    Tensor prediction;            ///< of the first branch, in the previous step
    std::vector<Tensor> offsets;  ///< prediction - input at the last computed step, one for each branch
    double rate = 0;              ///< change of the prediction (reused or computed) relative to the change of the
                                  ///< input, measured at the last computed step; 0: not known yet
    double expected_error = 0;    ///< estimated relative error that has accumulated since the last computed step
    int expert = 0;               ///< the expert that made the last prediction
};

/// The inputs of one step that the cache needs.
struct CachedStep {
    const Tensor& latents;         ///< float32, the model's input
    int expert = 0;                ///< DiffusionModel::expert
    std::size_t num_branches = 1;  ///< of guidance
};

/// Step caching (EasyCache, arXiv:2507.02860): reuses the last prediction, shifted by the change of the latents, while
/// the prediction hardly changes. Estimates its change from the rate at the last two steps. The sum of the estimates
/// since the last computed step must stay below a threshold. Reads one number from the device in each step.
class PredictionCache {
public:
    /// `threshold` is the largest estimated relative error, 0 to 1. If it is 0, every step is computed.
    explicit PredictionCache(double threshold) : threshold_(threshold) {}

    /// Returns reused predictions for this step, one for each branch, or nullopt if the model must be evaluated.
    std::optional<std::vector<Tensor>> reuse(const CachedStep& step);
    /// Saves the model's predictions, one for each branch.
    void keep(const CachedStep& step, const std::vector<Tensor>& predictions);

    const PredictionCacheState& snapshot() const { return state_; }
    void restore(const PredictionCacheState& state) { state_ = state; }

private:
    bool is_on() const { return threshold_ > 0; }

    double threshold_;
    PredictionCacheState state_;
};

}  // namespace kinescope
