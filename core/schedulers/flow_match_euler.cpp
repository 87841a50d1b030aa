#include "core/schedulers/flow_match_euler.h"

#include <ATen/ATen.h>

namespace kinescope {

namespace {

double shifted(double sigma, double shift) {
    return shift * sigma / (1.0 + (shift - 1.0) * sigma);
}

/// Returns the smallest training sigma, computed in float32 like the reference.
float last_training_sigma(const SchedulerConfig& config) {
    const auto shift = static_cast<float>(config.flow_shift);
    const auto sigma = 1.0f / static_cast<float>(config.num_train_timesteps);
    return shift * sigma / (1.0f + static_cast<float>(config.flow_shift - 1.0) * sigma);
}

}  // namespace

FlowMatchEulerScheduler::FlowMatchEulerScheduler(const SchedulerConfig& config, int num_inference_steps) {
    const double train = config.num_train_timesteps;
    const double first = train;
    const double last = static_cast<double>(last_training_sigma(config)) * train;
    const double increment = num_inference_steps > 1 ? (last - first) / (num_inference_steps - 1) : 0.0;
    for (int i = 0; i < num_inference_steps; ++i) {
        const double timestep = i > 0 && i == num_inference_steps - 1 ? last : first + i * increment;
        const auto sigma = static_cast<float>(shifted(timestep / train, config.flow_shift));
        sigmas_.push_back(sigma);
        timesteps_.push_back(static_cast<double>(sigma * static_cast<float>(train)));
    }
    sigmas_.push_back(0.0f);
}

Tensor FlowMatchEulerScheduler::step(int step, const Tensor& model_output, const Tensor& sample) {
    const auto i = static_cast<std::size_t>(step);
    const float dt = sigmas_.at(i + 1) - sigmas_.at(i);
    return sample.to(at::kFloat) + model_output.to(at::kFloat) * dt;
}

}  // namespace kinescope
