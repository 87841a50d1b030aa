#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/schedulers/scheduler_config.h"

namespace kinescope {

/// The common part of the CogVideoX schedulers DDIM and DPM: velocity prediction, trailing timesteps.
class CogVideoXSchedule {
public:
    CogVideoXSchedule(const SchedulerConfig& config, int num_inference_steps);

    const std::vector<double>& timesteps() const { return timesteps_; }
    /// Returns sqrt(1 - alpha) for each step: 1 for pure noise, 0 for a sample without noise.
    const std::vector<float>& sigmas() const { return sigmas_; }
    /// Returns alphas_cumprod at the step's timestep.
    double alpha(int step) const;
    /// Returns alphas_cumprod at the end of the step. The stride is a fixed number of timesteps, so the end may differ
    /// from the next timestep of the list.
    double alpha_after(int step) const;
    /// Returns true if the step ends below timestep 0.
    bool is_last_of_chain(int step) const { return timestep_after(step) < 0; }
    /// Returns "alphas_cumprod", float64 [num_train_timesteps], for golden cases.
    std::map<std::string, Tensor> record() const;
    /// Returns the denoised sample that follows from a predicted velocity.
    Tensor pred_original_sample(int step, const Tensor& velocity, const Tensor& sample) const;

private:
    std::int64_t timestep_after(int step) const;

    std::vector<double> timesteps_;
    std::vector<float> sigmas_;
    std::vector<double> alphas_;  ///< alphas_cumprod of each training timestep
    double final_alpha_ = 1.0;
    std::int64_t stride_ = 1;
};

}  // namespace kinescope
