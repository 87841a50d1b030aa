#include "core/schedulers/cogvideox_ddim.h"

#include <ATen/ATen.h>

#include <cmath>

namespace kinescope {

Tensor CogVideoXDDIMScheduler::step(int step, const Tensor& model_output, const Tensor& sample) {
    const double alpha = schedule_.alpha(step);
    const double next = schedule_.alpha_after(step);
    const double of_sample = std::sqrt((1.0 - next) / (1.0 - alpha));
    const double of_clean = std::sqrt(next) - std::sqrt(alpha) * of_sample;
    return of_sample * sample.to(at::kFloat) + of_clean * schedule_.pred_original_sample(step, model_output, sample);
}

}  // namespace kinescope
