#include "core/pipeline/prediction_cache.h"

#include <ATen/ATen.h>

namespace kinescope {

namespace {

double euclidean_norm(const Tensor& x) {
    return at::linalg_vector_norm(x).item<double>();
}

}  // namespace

std::optional<std::vector<Tensor>> PredictionCache::reuse(const CachedStep& step) {
    const bool fits = state_.rate > 0 && step.expert == state_.expert && step.num_branches <= state_.offsets.size();
    if (!is_on() || !fits) return std::nullopt;
    const double moved = euclidean_norm(step.latents - state_.latents);
    const double error = state_.expected_error + state_.rate * moved / euclidean_norm(state_.prediction);
    if (!(error < threshold_)) return std::nullopt;  // also if the error is NaN
    std::vector<Tensor> predictions;
    for (std::size_t branch = 0; branch < step.num_branches; ++branch)
        predictions.push_back(step.latents + state_.offsets[branch]);
    state_.expected_error = error;
    state_.latents = step.latents;
    state_.prediction = predictions.front();
    return predictions;
}

void PredictionCache::keep(const CachedStep& step, const std::vector<Tensor>& predictions) {
    if (!is_on()) return;
    PredictionCacheState next{.latents = step.latents, .prediction = predictions.front(), .expert = step.expert};
    if (state_.latents.defined() && state_.expert == step.expert) {
        const double moved = euclidean_norm(step.latents - state_.latents);
        if (moved > 0) next.rate = euclidean_norm(predictions.front() - state_.prediction) / moved;
    }
    for (const Tensor& prediction : predictions) next.offsets.push_back(prediction - step.latents);
    state_ = std::move(next);
}

}  // namespace kinescope
