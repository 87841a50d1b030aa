#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// What a scheduler remembers between steps. A retried step starts again from it.
struct SchedulerState {
    std::vector<Tensor> model_outputs;  ///< newest last
    Tensor last_sample;
    int this_order = 0;
    int lower_order_nums = 0;
};

/// Turns the model's prediction into the next latents. All arithmetic in float32.
class Scheduler {
public:
    virtual ~Scheduler() = default;
    /// One for each step, in the order of the run, as the model is given them.
    virtual const std::vector<double>& timesteps() const = 0;
    /// One more than timesteps; the last is the clean end.
    virtual const std::vector<float>& sigmas() const = 0;
    /// What pure noise is multiplied with to begin.
    virtual double init_noise_sigma() const { return 1.0; }
    /// The latents as the model takes them at this step.
    virtual Tensor scale_model_input(int /*step*/, const Tensor& sample) const { return sample; }
    /// `model_output`, `sample`: float32 of one shape. Returns the sample of step + 1.
    virtual Tensor step(int step, const Tensor& model_output, const Tensor& sample) = 0;
    /// What the clean sample will be if the prediction is right: for the preview. A flow model's x - sigma v unless the
    /// scheduler knows better.
    virtual Tensor pred_original_sample(int step, const Tensor& model_output, const Tensor& sample) const;
    /// What golden cases keep of it besides timesteps and sigmas, by their names ("scheduler_noise_000"); after a run.
    virtual std::map<std::string, Tensor> record() const { return {}; }
    virtual SchedulerState snapshot() const = 0;
    virtual void restore(const SchedulerState& state) = 0;
};

}  // namespace kinescope
