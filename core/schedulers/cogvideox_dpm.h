#pragma once

#include "core/schedulers/cogvideox_schedule.h"

namespace kinescope {

/// diffusers' CogVideoXDPMScheduler: second-order SDE DPM-Solver++ (Lu et al. 2022, arXiv:2211.01095). Draws noise once
/// in the first step and in a step that ends below timestep 0. In all other steps, draws noise twice and uses the
/// second draw, like the reference.
class CogVideoXDPMScheduler final : public Scheduler {
public:
    /// `draw` returns standard normal noise in the latents' shape. Throws Error(internal) if `draw` is empty.
    CogVideoXDPMScheduler(const SchedulerConfig& config, int num_inference_steps, NoiseDraw draw);

    const std::vector<double>& timesteps() const override { return schedule_.timesteps(); }
    const std::vector<float>& sigmas() const override { return schedule_.sigmas(); }
    Tensor step(int step, const Tensor& model_output, const Tensor& sample) override;
    Tensor pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const override {
        return schedule_.pred_original_sample(step, model_output, sample);
    }
    std::map<std::string, Tensor> record() const override { return schedule_.record(); }
    SchedulerState snapshot() const override { return state_; }
    void restore(const SchedulerState& state) override { state_ = state; }

private:
    /// Returns the denoised sample, extrapolated from its change since the previous step. `h` is the length of this
    /// step in lambda.
    Tensor extrapolated(int step, double h, const Tensor& clean) const;

    CogVideoXSchedule schedule_;
    NoiseDraw draw_;
    SchedulerState state_;  ///< model_outputs: the denoised sample of the previous step
};

}  // namespace kinescope
