#pragma once

#include <memory>

#include "core/schedulers/scheduler.h"

namespace kinescope {

/// Holds the first latent frames of a flow-matching run at given values: the run continues a video whose last frames
/// are known. The model sees them at the noise level of each step, and their velocity, noise minus values, replaces
/// the prediction, so that they end at the values with every scheduler.
class HeldFrames final : public Scheduler {
public:
    /// `latents`: float32 [1, C, k, H, W]; `noise`: the run's initial noise [1, C, F, H, W] with F >= k.
    HeldFrames(std::unique_ptr<Scheduler> inner, const Tensor& latents, const Tensor& noise);

    const std::vector<double>& timesteps() const override { return inner_->timesteps(); }
    const std::vector<float>& sigmas() const override { return inner_->sigmas(); }
    double init_noise_sigma() const override { return inner_->init_noise_sigma(); }
    Tensor scale_model_input(int step, const Tensor& sample) const override {
        return inner_->scale_model_input(step, sample);
    }
    Tensor step(int step, const Tensor& model_output, const Tensor& sample) override {
        return inner_->step(step, held(model_output), sample);
    }
    Tensor pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const override {
        return inner_->pred_original_sample(step, held(model_output), sample);
    }
    std::map<std::string, Tensor> record() const override { return inner_->record(); }
    SchedulerState snapshot() const override { return inner_->snapshot(); }
    void restore(const SchedulerState& state) override { inner_->restore(state); }

private:
    Tensor held(const Tensor& model_output) const;

    std::unique_ptr<Scheduler> inner_;
    Tensor velocity_;  ///< [1, C, k, H, W]
};

}  // namespace kinescope
