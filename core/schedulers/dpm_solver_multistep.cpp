#include "core/schedulers/dpm_solver_multistep.h"

#include <ATen/ATen.h>

#include <cmath>

namespace kinescope {

DPMSolverMultistepScheduler::DPMSolverMultistepScheduler(const SchedulerConfig& config, int num_inference_steps)
    : solver_order_(config.solver_order) {
    const double train = config.num_train_timesteps;
    const double shift = config.flow_shift;
    const double increment = (1.0 / train - 1.0) / num_inference_steps;
    for (int i = 0; i < num_inference_steps; ++i) {
        // The first sigma, at the noisy end, is (train - 1) / train.
        const double alpha = i == 0 ? 1.0 / train : 1.0 + (num_inference_steps - i) * increment;
        const double sigma = shift * (1.0 - alpha) / (1.0 + (shift - 1.0) * (1.0 - alpha));
        sigmas_.push_back(static_cast<float>(sigma));
        timesteps_.push_back(std::trunc(sigma * train));
    }
    sigmas_.push_back(0.0f);
}

float DPMSolverMultistepScheduler::lambda(int step) const {
    const float sigma = sigmas_.at(static_cast<std::size_t>(step));
    return std::log(1.0f - sigma) - std::log(sigma);
}

bool DPMSolverMultistepScheduler::is_first_order(int step) const {
    const bool is_last = step + 1 == static_cast<int>(timesteps_.size());
    return solver_order_ < 2 || is_last || state_.model_outputs.size() < 2;
}

Tensor DPMSolverMultistepScheduler::step(int step, const Tensor& model_output, const Tensor& sample) {
    const auto i = static_cast<std::size_t>(step);
    const auto x = sample.to(at::kFloat);
    state_.model_outputs.push_back(x - model_output.to(at::kFloat) * sigmas_.at(i));
    if (state_.model_outputs.size() > 2) state_.model_outputs.erase(state_.model_outputs.begin());
    const auto& data = state_.model_outputs.back();
    const float sigma = sigmas_[i + 1];
    // At sigma 0, lambda is infinite; the limit of the formula is the predicted denoised sample.
    const float h = sigma == 0.0f ? INFINITY : lambda(step + 1) - lambda(step);
    const float weight = (1.0f - sigma) * (std::exp(-h) - 1.0f);
    const auto next = x * (sigma / sigmas_[i]) - data * weight;
    if (is_first_order(step)) return next;
    const float r = (lambda(step) - lambda(step - 1)) / h;
    return next - (data - state_.model_outputs.front()) * (0.5f * weight / r);
}

}  // namespace kinescope
