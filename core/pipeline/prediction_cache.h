#pragma once

#include <optional>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// The state of a PredictionCache between two steps.
struct PredictionCacheState {
    Tensor latents;               ///< the model's input at the previous step; undefined before the first step
    Tensor prediction;            ///< of the first branch, at the previous step
    std::vector<Tensor> offsets;  ///< prediction - input at the last computed step, one for each branch
    double rate = 0;              ///< change of the prediction (reused or not) per change of the input, at the last
                                  ///< computed step; 0: not known yet
    double expected_error = 0;    ///< relative error of the reuses since the last computed step
    int expert = 0;               ///< of the last prediction
};

/// The inputs of one step that the cache needs.
struct CachedStep {
    const Tensor& latents;         ///< float32, the model's input
    int expert = 0;                ///< DiffusionModel::expert
    std::size_t num_branches = 1;  ///< of guidance
};

/// Step caching (EasyCache, arXiv:2507.02860): reuses the last prediction, shifted by the change of the latents, while
/// the prediction hardly changes. Its change is estimated from the rate at the last two steps; the sum of the estimates
/// since the last computed step must stay below a threshold. Reads one number from the device in each step.
class PredictionCache {
public:
    /// `threshold`: relative error, 0 to 1; with 0 every step is computed.
    explicit PredictionCache(double threshold) : threshold_(threshold) {}

    /// Returns reused predictions for this step, one for each branch; nullopt: evaluate the model.
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
