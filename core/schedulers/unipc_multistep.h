#pragma once

#include <vector>

#include "core/schedulers/scheduler_config.h"

namespace kinescope {

/// diffusers' UniPCMultistepScheduler in flow mode (Zhao et al. 2023: UniPC, B(h) = expm1, data prediction), order 1 or
/// 2, with the sigma rule of diffusers >= 0.37. Coefficients are float32 like the reference: in the first steps lambda
/// is near its pole, so float64 would produce visibly different values.
class UniPCMultistepScheduler final : public Scheduler {
public:
    UniPCMultistepScheduler(const SchedulerConfig& config, int num_inference_steps);

    const std::vector<double>& timesteps() const override { return timesteps_; }
    const std::vector<float>& sigmas() const override { return sigmas_; }
    Tensor step(int step, const Tensor& model_output, const Tensor& sample) override;
    SchedulerState snapshot() const override { return state_; }
    void restore(const SchedulerState& state) override { state_ = state; }

private:
    Tensor correct(int step, const Tensor& data) const;
    Tensor predict(int step, const Tensor& sample) const;
    float lambda(int step) const;

    SchedulerConfig config_;
    std::vector<double> timesteps_;
    std::vector<float> sigmas_;
    SchedulerState state_;
};

}  // namespace kinescope
