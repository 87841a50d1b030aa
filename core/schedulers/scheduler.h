#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// The state of a scheduler between two steps. Each attempt at a step starts from it.
struct SchedulerState {
    std::vector<Tensor> model_outputs;  ///< newest last
    Tensor last_sample;
    int this_order = 0;
    int lower_order_nums = 0;
};

/// Computes the next latents from the model's prediction. All arithmetic is in float32.
class Scheduler {
public:
    virtual ~Scheduler() = default;
    /// Returns one value for each step, in the order of the run, in the form that the model receives.
    virtual const std::vector<double>& timesteps() const = 0;
    /// Returns the noise level of each step, followed by that of the final latents, so one value more than timesteps().
    virtual const std::vector<float>& sigmas() const = 0;
    /// Returns the factor for the initial noise.
    virtual double init_noise_sigma() const { return 1.0; }
    /// Returns the latents, scaled as the model expects them at this step.
    virtual Tensor scale_model_input(int /*step*/, const Tensor& sample) const { return sample; }
    /// Returns the sample of step + 1. `model_output` and `sample` are float32 and have the same shape.
    virtual Tensor step(int step, const Tensor& model_output, const Tensor& sample) = 0;
    /// Returns the final sample that the prediction implies, for the preview. The default is x - sigma * v, as for flow
    /// models.
    virtual Tensor pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const;
    /// Returns further tensors that golden cases compare after a run, e.g. "scheduler_noise_000".
    virtual std::map<std::string, Tensor> record() const { return {}; }
    virtual SchedulerState snapshot() const = 0;
    virtual void restore(const SchedulerState& state) = 0;
};

}  // namespace kinescope
