#pragma once

#include <memory>
#include <vector>

#include "core/schedulers/scheduler.h"

namespace kinescope {

/// The last steps of a schedule, for runs that start from a noised video (diffusers' get_timesteps). A multistep solver
/// starts without history. The end of a step and its order stay those of the whole schedule.
class PartialSchedule final : public Scheduler {
public:
    /// `num_steps`: 1 to the number of steps of `whole`. Throws Error(bad_request) for other numbers.
    PartialSchedule(std::unique_ptr<Scheduler> whole, int num_steps);

    const std::vector<double>& timesteps() const override { return timesteps_; }
    const std::vector<float>& sigmas() const override { return sigmas_; }
    double init_noise_sigma() const override { return whole_->init_noise_sigma(); }
    Tensor scale_model_input(int step, const Tensor& sample) const override {
        return whole_->scale_model_input(first_ + step, sample);
    }
    Tensor step(int step, const Tensor& model_output, const Tensor& sample) override {
        return whole_->step(first_ + step, model_output, sample);
    }
    Tensor pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const override {
        return whole_->pred_original_sample(first_ + step, model_output, sample);
    }
    /// Also contains "sigmas", float32: those of the whole schedule, which golden cases store.
    std::map<std::string, Tensor> record() const override;
    SchedulerState snapshot() const override { return whole_->snapshot(); }
    void restore(const SchedulerState& state) override { whole_->restore(state); }

private:
    std::unique_ptr<Scheduler> whole_;
    int first_ = 0;
    std::vector<double> timesteps_;
    std::vector<float> sigmas_;
};

}  // namespace kinescope
