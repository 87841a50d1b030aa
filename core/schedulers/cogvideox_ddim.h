#pragma once

#include "core/schedulers/cogvideox_schedule.h"

namespace kinescope {

/// diffusers' CogVideoXDDIMScheduler. Stateless and deterministic.
class CogVideoXDDIMScheduler final : public Scheduler {
public:
    CogVideoXDDIMScheduler(const SchedulerConfig& config, int num_inference_steps)
        : schedule_(config, num_inference_steps) {}

    const std::vector<double>& timesteps() const override { return schedule_.timesteps(); }
    const std::vector<float>& sigmas() const override { return schedule_.sigmas(); }
    Tensor step(int step, const Tensor& model_output, const Tensor& sample) override;
    Tensor pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const override {
        return schedule_.pred_original_sample(step, model_output, sample);
    }
    std::map<std::string, Tensor> record() const override { return schedule_.record(); }
    SchedulerState snapshot() const override { return {}; }
    void restore(const SchedulerState&) override {}

private:
    CogVideoXSchedule schedule_;
};

}  // namespace kinescope
