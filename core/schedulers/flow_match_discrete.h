#pragma once

#include <vector>

#include "core/schedulers/scheduler.h"

namespace kinescope {

/// Euler steps of a flow from time 0 (noise) to 1 (data), like Step-Video's FlowMatchDiscreteScheduler: time_i = u / (s
/// - (s - 1) u) with u = i / N and s = time_shift. The timesteps are these times; the model predicts data minus noise.
/// Stateless.
class FlowMatchDiscreteScheduler final : public Scheduler {
public:
    /// Throws Error(bad_request) unless `time_shift` is above 0 and `num_inference_steps` at least 1.
    FlowMatchDiscreteScheduler(double time_shift, int num_inference_steps);

    /// Returns the times of the steps, ascending, starting with 0.
    const std::vector<double>& timesteps() const override { return timesteps_; }
    /// Returns the times of the steps and the end of the last step: ascending from 0 to 1.
    const std::vector<float>& sigmas() const override { return sigmas_; }
    Tensor step(int step, const Tensor& model_output, const Tensor& sample) override;
    Tensor pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const override;
    SchedulerState snapshot() const override { return {}; }
    void restore(const SchedulerState&) override {}

private:
    std::vector<double> timesteps_;
    std::vector<float> sigmas_;
};

}  // namespace kinescope
