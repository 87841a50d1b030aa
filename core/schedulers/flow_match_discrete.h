#pragma once

#include <vector>

#include "core/schedulers/scheduler.h"

namespace kinescope {

/// Euler steps of a flow whose time runs from 0, noise, to 1, data, as Step-Video's FlowMatchDiscreteScheduler: time_i
/// = u / (s - (s - 1) u) with u = i / N and s = time_shift. The model is given the time itself, and predicts data minus
/// noise. Has no memory between steps.
class FlowMatchDiscreteScheduler final : public Scheduler {
public:
    /// `time_shift` above 0, `num_inference_steps` 1 at least, else Error(bad_request).
    FlowMatchDiscreteScheduler(double time_shift, int num_inference_steps);

    /// Ascending, from 0.
    const std::vector<double>& timesteps() const override { return timesteps_; }
    /// The times again, with the clean end: ascending, from 0 to 1.
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
