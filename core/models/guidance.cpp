#include "core/models/guidance.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/device/host_copy.h"

namespace kinescope {

bool Guidance::is_zero(int step) const {
    return settings.method == GuidanceMethod::cfg_zero_star && step < settings.zero_init_steps;
}

std::vector<Branch> Guidance::branches_at(int step) const {
    std::vector<Branch> used = steps.contains(step) ? branches : std::vector{branches.front()};
    if (settings.method == GuidanceMethod::skip_layer && settings.skip_steps.contains(step))
        used.push_back(Branch::skip);
    return used;
}

std::optional<NagSettings> Guidance::nag_at(int step) const {
    if (settings.method != GuidanceMethod::nag || !steps.contains(step)) return std::nullopt;
    return settings.nag;
}

namespace {

Tensor classifier_free(const Tensor& cond, const Tensor& uncond, const Tensor& scale) {
    return uncond + scale * (cond - uncond);
}

/// Returns the prediction of a branch; undefined if the step does not evaluate it.
Tensor prediction_of(Branch branch, const std::vector<Branch>& branches, const std::vector<Tensor>& predictions) {
    const auto found = std::ranges::find(branches, branch);
    return found == branches.end() ? Tensor() : predictions.at(static_cast<std::size_t>(found - branches.begin()));
}

/// Adds what the skipped blocks contribute. Without a second branch, the prediction without them takes its place.
Tensor skip_layer(const Tensor& guided, const Tensor& cond, const Tensor& uncond, const Tensor& skip, double scale) {
    return uncond.defined() ? guided + scale * (cond - skip) : skip + scale * (cond - skip);
}

}  // namespace

Tensor Guidance::combine(int step, const std::vector<Tensor>& predictions, GuidanceState& state) const {
    if (predictions.size() == 1) return predictions.front();
    const std::vector<Branch> used = branches_at(step);
    const Tensor& cond = predictions.front();
    const Tensor uncond = prediction_of(Branch::uncond, used, predictions);
    const Tensor skip = prediction_of(Branch::skip, used, predictions);
    Tensor guided = cond;
    if (uncond.defined()) {
        const Tensor& kept = scales.size() == 1 ? scales.front() : scales.at(static_cast<std::size_t>(step));
        const Tensor scale = sent_to(kept, cond.device());
        if (settings.method == GuidanceMethod::cfg_zero_star) return cfg_zero_star(cond, uncond, scale);
        if (settings.method == GuidanceMethod::apg) {
            ApgResult result = adaptive_projected_guidance(cond, uncond, scale, settings.apg, state.average);
            state.average = result.average;
            return result.prediction;
        }
        guided = classifier_free(cond, uncond, scale);
    }
    return skip.defined() ? skip_layer(guided, cond, uncond, skip, settings.skip_scale) : guided;
}

Guidance constant_guidance(const Conditioning& conditioning, double guidance_scale) {
    if (guidance_scale <= 1 || !conditioning.negative_prompt_embeds.defined()) return {};
    return {.branches = {Branch::cond, Branch::uncond}, .scales = {at::scalar_tensor(guidance_scale, at::kFloat)}};
}

Guidance within(Guidance guidance, double start, double stop, int num_steps) {
    guidance.steps = {.first = static_cast<int>(std::lround(start * num_steps)),
                      .end = static_cast<int>(std::lround(stop * num_steps))};
    return guidance;
}

Guidance with_method(Guidance guidance, const ResolvedSampling& sampling, int num_steps) {
    // The reference leaves out the step at the start, too.
    const StepRange skip_steps{.first = static_cast<int>(sampling.skip_layer_guidance_start * num_steps) + 1,
                               .end = static_cast<int>(sampling.skip_layer_guidance_stop * num_steps)};
    guidance.settings = {
        .method = sampling.guidance_method,
        .zero_init_steps = sampling.zero_init_steps,
        .apg = {.momentum = sampling.apg_momentum, .rescale = sampling.apg_rescale, .eta = sampling.apg_eta},
        .skipped_blocks = sampling.skip_layer_guidance_layers,
        .skip_scale = sampling.skip_layer_guidance_scale,
        .skip_steps = skip_steps,
        .nag = {.scale = sampling.nag_scale, .tau = sampling.nag_tau, .alpha = sampling.nag_alpha}};
    return guidance;
}

}  // namespace kinescope
