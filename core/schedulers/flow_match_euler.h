#pragma once

#include <vector>

#include "core/schedulers/scheduler_config.h"

namespace kinescope {

/// diffusers' FlowMatchEulerDiscreteScheduler with a fixed shift. Like the reference, it applies the shift twice: to
/// the end points and to the sigmas between them. Timesteps are fractional. Stateless.
class FlowMatchEulerScheduler final : public Scheduler {
public:
    FlowMatchEulerScheduler(const SchedulerConfig& config, int num_inference_steps);

    const std::vector<double>& timesteps() const override { return timesteps_; }
    const std::vector<float>& sigmas() const override { return sigmas_; }
    Tensor step(int step, const Tensor& model_output, const Tensor& sample) override;
    SchedulerState snapshot() const override { return {}; }
    void restore(const SchedulerState&) override {}

private:
    std::vector<double> timesteps_;
    std::vector<float> sigmas_;
};

}  // namespace kinescope
