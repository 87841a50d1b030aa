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
    /// One value for each step, in the order of the run, in the form that the model receives.
    virtual const std::vector<double>& timesteps() const = 0;
    /// One more than timesteps; the last belongs to the clean latents.
    virtual const std::vector<float>& sigmas() const = 0;
    /// Factor for the initial noise.
    virtual double init_noise_sigma() const { return 1.0; }
    /// The latents, scaled as the model expects them at this step.
    virtual Tensor scale_model_input(int /*step*/, const Tensor& sample) const { return sample; }
    /// `model_output`, `sample`: float32, same shape. Returns the sample of step + 1.
    virtual Tensor step(int step, const Tensor& model_output, const Tensor& sample) = 0;
    /// The final sample that the prediction implies, for the preview. By default x - sigma * v, as for flow models.
    virtual Tensor pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const;
    /// Further tensors that golden cases compare after a run, e.g. "scheduler_noise_000".
    virtual std::map<std::string, Tensor> record() const { return {}; }
    virtual SchedulerState snapshot() const = 0;
    virtual void restore(const SchedulerState& state) = 0;
};

}  // namespace kinescope
