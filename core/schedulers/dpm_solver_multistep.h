#pragma once

#include <vector>

#include "core/schedulers/scheduler_config.h"

namespace kinescope {

/// Second-order multistep DPM-Solver++ (Lu et al., arXiv:2211.01095) on flow sigmas: diffusers'
/// DPMSolverMultistepScheduler with use_flow_sigmas. The first and the last step are of first order. float32
/// throughout, like the reference.
class DPMSolverMultistepScheduler final : public Scheduler {
public:
    DPMSolverMultistepScheduler(const SchedulerConfig& config, int num_inference_steps);

    const std::vector<double>& timesteps() const override { return timesteps_; }
    const std::vector<float>& sigmas() const override { return sigmas_; }
    Tensor step(int step, const Tensor& model_output, const Tensor& sample) override;
    SchedulerState snapshot() const override { return state_; }
    void restore(const SchedulerState& state) override { state_ = state; }

private:
    /// Returns log((1 - sigma) / sigma), the solver's time variable.
    float lambda(int step) const;
    bool is_first_order(int step) const;

    int solver_order_;
    std::vector<double> timesteps_;
    std::vector<float> sigmas_;
    SchedulerState state_;  ///< model_outputs: predicted denoised samples
};

}  // namespace kinescope
