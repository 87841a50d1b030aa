#pragma once

#include <filesystem>
#include <vector>

#include "core/base/json.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

/// The options of EulerDiscreteScheduler that EDM models use. The defaults are those of Stable Video Diffusion.
struct EulerDiscreteConfig {
    double sigma_min = 0.002;
    double sigma_max = 700.0;
};

/// Reads scheduler_config.json; a null `json` stands for the defaults. Throws Error(bad_config) for values out of
/// range, and Error(unsupported) for anything other than Karras sigmas, v-prediction and continuous timesteps.
EulerDiscreteConfig read_euler_discrete_config(const Json& json, const std::filesystem::path& file);

/// diffusers' EulerDiscreteScheduler for EDM models (Karras et al. 2022, arXiv:2206.00364): sigmas of equation 5 with
/// rho 7, v-prediction, timesteps ln(sigma) / 4. Adds no noise (churn) in a step. Stateless.
class EulerDiscreteScheduler final : public Scheduler {
public:
    /// Throws Error(bad_request) for fewer than one step.
    EulerDiscreteScheduler(const EulerDiscreteConfig& config, int num_inference_steps);

    const std::vector<double>& timesteps() const override { return timesteps_; }
    const std::vector<float>& sigmas() const override { return sigmas_; }
    double init_noise_sigma() const override;
    Tensor scale_model_input(int step, const Tensor& sample) const override;
    Tensor step(int step, const Tensor& model_output, const Tensor& sample) override;
    Tensor pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const override;
    SchedulerState snapshot() const override { return {}; }
    void restore(const SchedulerState&) override {}

private:
    std::vector<double> timesteps_;
    std::vector<float> sigmas_;
};

}  // namespace kinescope
