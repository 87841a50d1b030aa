#include "core/schedulers/unipc_multistep.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace kinescope {

namespace {

/// Keeps log(1 - sigma) finite in the first step.
constexpr double kSigmaGap = 1e-6;

struct Pair {
    float first;
    float second;
};

/// Returns the weights of the two differences of the second-order corrector: R rho = b with R = [[1, 1], [r, 1]].
Pair corrector_weights(float r, float hh, float h_phi_1) {
    const float b = h_phi_1;
    const float phi_1 = h_phi_1 / hh - 1.0f;
    const float phi_2 = phi_1 / hh - 0.5f;
    const float b1 = phi_1 / b;
    const float b2 = 2.0f * phi_2 / b;
    const float first = (b2 - b1) / (r - 1.0f);
    return {first, b1 - first};
}

}  // namespace

UniPCMultistepScheduler::UniPCMultistepScheduler(const SchedulerConfig& config, int num_inference_steps)
    : config_(config) {
    const double train = config.num_train_timesteps;
    const double shift = config.flow_shift;
    const double increment = (1.0 / train - 1.0) / num_inference_steps;
    for (int i = 0; i < num_inference_steps; ++i) {
        const double u = 1.0 + i * increment;
        double sigma = shift * u / (1.0 + (shift - 1.0) * u);
        if (i == 0 && std::abs(sigma - 1.0) < kSigmaGap) sigma -= kSigmaGap;
        sigmas_.push_back(static_cast<float>(sigma));
        timesteps_.push_back(std::trunc(sigma * train));
    }
    sigmas_.push_back(0.0f);
}

float UniPCMultistepScheduler::lambda(int step) const {
    const float sigma = sigmas_.at(static_cast<std::size_t>(step));
    return std::log(1.0f - sigma) - std::log(sigma);
}

Tensor UniPCMultistepScheduler::step(int step, const Tensor& model_output, const Tensor& sample) {
    auto x = sample.to(at::kFloat);
    const auto data = x - model_output.to(at::kFloat) * sigmas_.at(static_cast<std::size_t>(step));
    if (step > 0 && state_.last_sample.defined() && !config_.disable_corrector.contains(step - 1))
        x = correct(step, data);

    state_.model_outputs.push_back(data);
    if (state_.model_outputs.size() > 2) state_.model_outputs.erase(state_.model_outputs.begin());
    const int remaining = static_cast<int>(timesteps_.size()) - step;
    const int order = config_.lower_order_final ? std::min(config_.solver_order, remaining) : config_.solver_order;
    state_.this_order = std::min(order, state_.lower_order_nums + 1);
    state_.last_sample = x;
    const auto next = predict(step, x);
    state_.lower_order_nums = std::min(config_.solver_order, state_.lower_order_nums + 1);
    return next;
}

Tensor UniPCMultistepScheduler::correct(int step, const Tensor& data) const {
    const auto i = static_cast<std::size_t>(step);
    const float sigma = sigmas_[i];
    const float alpha = 1.0f - sigma;
    const float h = lambda(step) - lambda(step - 1);
    const float hh = -h;
    const float h_phi_1 = std::expm1(hh);
    const auto& previous = state_.model_outputs.back();
    const auto base = state_.last_sample * (sigma / sigmas_[i - 1]) - previous * (alpha * h_phi_1);
    const auto newest = data - previous;
    if (state_.this_order == 1 || state_.model_outputs.size() < 2) return base - newest * (alpha * h_phi_1 * 0.5f);
    const float r = (lambda(step - 2) - lambda(step - 1)) / h;
    const auto older = (state_.model_outputs.front() - previous) / r;
    const auto weights = corrector_weights(r, hh, h_phi_1);
    return base - (older * weights.first + newest * weights.second) * (alpha * h_phi_1);
}

Tensor UniPCMultistepScheduler::predict(int step, const Tensor& sample) const {
    const auto i = static_cast<std::size_t>(step);
    const float sigma = sigmas_[i + 1];
    const float alpha = 1.0f - sigma;
    const auto& data = state_.model_outputs.back();
    // At sigma 0, lambda is infinite; the limit of the formula is the predicted denoised sample.
    const float h = sigma == 0.0f ? INFINITY : lambda(step + 1) - lambda(step);
    const float h_phi_1 = std::expm1(-h);
    auto next = sample * (sigma / sigmas_[i]) - data * (alpha * h_phi_1);
    if (state_.this_order < 2 || state_.model_outputs.size() < 2) return next;
    const float r = (lambda(step - 1) - lambda(step)) / h;
    const auto difference = (state_.model_outputs.front() - data) / r;
    return next - difference * (alpha * h_phi_1 * 0.5f);
}

}  // namespace kinescope
