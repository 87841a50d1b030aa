#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/schedulers/scheduler_config.h"

namespace kinescope {

/// The points of a CogVideoX schedule: what DDIM and DPM have in common. Velocity prediction, trailing timesteps.
class CogVideoXSchedule {
public:
    CogVideoXSchedule(const SchedulerConfig& config, int num_inference_steps);

    const std::vector<double>& timesteps() const { return timesteps_; }
    /// sqrt(1 - alpha), the share of noise: 1 for pure noise, 0 at the clean end.
    const std::vector<float>& sigmas() const { return sigmas_; }
    /// Of the step's own timestep.
    double alpha(int step) const;
    /// Of where the step leads: a fixed stride of whole timesteps, which need not be the next timestep of the list.
    double alpha_after(int step) const;
    /// Whether the step leads below timestep 0.
    bool is_last_of_chain(int step) const { return timestep_after(step) < 0; }
    /// What golden cases keep of it: "alphas_cumprod", float64 [num_train_timesteps].
    std::map<std::string, Tensor> record() const;
    /// The clean sample that a velocity says.
    Tensor pred_original_sample(int step, const Tensor& velocity, const Tensor& sample) const;

private:
    std::int64_t timestep_after(int step) const;

    std::vector<double> timesteps_;
    std::vector<float> sigmas_;
    std::vector<double> alphas_;  ///< of each training timestep
    double final_alpha_ = 1.0;
    std::int64_t stride_ = 1;
};

}  // namespace kinescope
