#pragma once

#include <optional>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// What PredictionCache knows between two steps.
struct PredictionCacheState {
    Tensor latents;               ///< the model's input at the step before; undefined: there was none
    Tensor prediction;            ///< at the step before, of the first branch
    std::vector<Tensor> offsets;  ///< prediction - input at the last computed step, one for each branch
    double rate = 0;              ///< change of the prediction (reused or not) for a change of the input, at the last
                                  ///< computed step; 0: not known yet
    double expected_error = 0;    ///< of a reuse, relative to the prediction, summed up since the last computed step
    int expert = 0;               ///< that predicted last
};

/// One step as the cache sees it.
struct CachedStep {
    const Tensor& latents;         ///< float32, as the model is given them
    int expert = 0;                ///< DiffusionModel::expert
    std::size_t num_branches = 1;  ///< of guidance
};

/// Step caching: while the latents move so little that the model's answer can hardly have changed, its last answer,
/// moved along with the latents, is used again. The change is foretold from the rate seen at the last two steps, and
/// what has been foretold since the last real answer must stay below a threshold (EasyCache, arXiv:2507.02860).
/// Reads one number from the device in each step.
class PredictionCache {
public:
    /// `threshold`: relative error, 0 to 1; 0: every step is computed.
    explicit PredictionCache(double threshold) : threshold_(threshold) {}

    /// Predictions for this step without the model, one for each branch; nullopt: the model has to be asked.
    std::optional<std::vector<Tensor>> reuse(const CachedStep& step);
    /// The model was asked. `predictions`: one for each branch.
    void keep(const CachedStep& step, const std::vector<Tensor>& predictions);

    const PredictionCacheState& snapshot() const { return state_; }
    void restore(const PredictionCacheState& state) { state_ = state; }

private:
    bool is_on() const { return threshold_ > 0; }

    double threshold_;
    PredictionCacheState state_;
};

}  // namespace kinescope
