#include "core/pipeline/prediction_cache.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace kinescope {

namespace {

double euclidean_norm(const Tensor& x) {
    return at::linalg_vector_norm(x).item<double>();
}

}  // namespace

std::optional<std::vector<Tensor>> PredictionCache::offsets_for(const CachedStep& step) const {
    const std::size_t count = step.branches.size();
    if (state_.branches.empty() && count <= state_.offsets.size())
        return std::vector(state_.offsets.begin(), state_.offsets.begin() + static_cast<std::ptrdiff_t>(count));
    if (step.has_nag != state_.has_nag) return std::nullopt;
    std::vector<Tensor> offsets;
    for (const Branch branch : step.branches) {
        const auto kept = std::ranges::find(state_.branches, branch);
        if (kept == state_.branches.end()) return std::nullopt;
        offsets.push_back(state_.offsets.at(static_cast<std::size_t>(kept - state_.branches.begin())));
    }
    return offsets;
}

std::optional<std::vector<Tensor>> PredictionCache::reuse(const CachedStep& step) {
    if (!is_on() || !(state_.rate > 0) || step.expert != state_.expert) return std::nullopt;
    const auto offsets = offsets_for(step);
    if (!offsets) return std::nullopt;
    const double moved = euclidean_norm(step.latents - state_.latents);
    const double error = state_.expected_error + state_.rate * moved / euclidean_norm(state_.prediction);
    if (!(error < threshold_)) return std::nullopt;  // also if the error is NaN
    std::vector<Tensor> predictions;
    for (const Tensor& offset : *offsets) predictions.push_back(step.latents + offset);
    state_.expected_error = error;
    state_.latents = step.latents;
    state_.prediction = predictions.front();
    return predictions;
}

void PredictionCache::keep(const CachedStep& step, const std::vector<Tensor>& predictions) {
    if (!is_on()) return;
    PredictionCacheState next{.latents = step.latents,
                              .prediction = predictions.front(),
                              .branches = step.branches,
                              .has_nag = step.has_nag,
                              .expert = step.expert};
    if (state_.latents.defined() && state_.expert == step.expert) {
        const double moved = euclidean_norm(step.latents - state_.latents);
        if (moved > 0) next.rate = euclidean_norm(predictions.front() - state_.prediction) / moved;
    }
    for (const Tensor& prediction : predictions) next.offsets.push_back(prediction - step.latents);
    state_ = std::move(next);
}

}  // namespace kinescope
