#include "core/schedulers/cogvideox_schedule.h"

#include <ATen/ATen.h>

#include <cmath>

namespace kinescope {

CogVideoXSchedule::CogVideoXSchedule(const SchedulerConfig& config, int num_inference_steps)
    : alphas_(alphas_cumprod(config.alphas, config.num_train_timesteps)),
      final_alpha_(config.alphas.set_alpha_to_one ? 1.0 : alphas_.front()),
      stride_(config.num_train_timesteps / num_inference_steps) {
    // Uses the same order of operations as the reference, because values at .5 occur and round to even.
    const double train = config.num_train_timesteps;
    const double increment = (train - train / num_inference_steps) - train;
    for (int i = 0; i < num_inference_steps; ++i) {
        timesteps_.push_back(std::nearbyint(train + i * increment) - 1.0);
        sigmas_.push_back(static_cast<float>(std::sqrt(1.0 - alpha(i))));
    }
    sigmas_.push_back(static_cast<float>(std::sqrt(1.0 - alpha_after(num_inference_steps - 1))));
}

double CogVideoXSchedule::alpha(int step) const {
    return alphas_.at(static_cast<std::size_t>(timesteps_.at(static_cast<std::size_t>(step))));
}

std::int64_t CogVideoXSchedule::timestep_after(int step) const {
    return static_cast<std::int64_t>(timesteps_.at(static_cast<std::size_t>(step))) - stride_;
}

double CogVideoXSchedule::alpha_after(int step) const {
    return is_last_of_chain(step) ? final_alpha_ : alphas_.at(static_cast<std::size_t>(timestep_after(step)));
}

std::map<std::string, Tensor> CogVideoXSchedule::record() const {
    return {{"alphas_cumprod", at::tensor(alphas_, at::kDouble)}};
}

Tensor CogVideoXSchedule::pred_original_sample(int step, const Tensor& velocity, const Tensor& sample) const {
    return std::sqrt(alpha(step)) * sample.to(at::kFloat) - std::sqrt(1.0 - alpha(step)) * velocity.to(at::kFloat);
}

}  // namespace kinescope
