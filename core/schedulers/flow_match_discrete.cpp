#include "core/schedulers/flow_match_discrete.h"

#include <ATen/ATen.h>

#include "core/api/error.h"

namespace kinescope {

FlowMatchDiscreteScheduler::FlowMatchDiscreteScheduler(double time_shift, int num_inference_steps) {
    if (num_inference_steps < 1)
        throw Error(ErrorCode::bad_request,
                    "num_inference_steps is " + std::to_string(num_inference_steps) + "; it must be at least 1");
    if (!(time_shift > 0))
        throw Error(ErrorCode::bad_request, "flow_shift is " + std::to_string(time_shift) + "; it must be above 0");
    for (int i = 0; i <= num_inference_steps; ++i) {
        const double u = static_cast<double>(i) / num_inference_steps;
        const double time = u / (time_shift - (time_shift - 1.0) * u);
        sigmas_.push_back(static_cast<float>(time));
        if (i < num_inference_steps) timesteps_.push_back(time);
    }
}

Tensor FlowMatchDiscreteScheduler::step(int step, const Tensor& model_output, const Tensor& sample) {
    const auto i = static_cast<std::size_t>(step);
    const float dt = sigmas_.at(i + 1) - sigmas_.at(i);
    return sample.to(at::kFloat) + model_output.to(at::kFloat) * dt;
}

Tensor FlowMatchDiscreteScheduler::pred_original_sample(int step, const Tensor& model_output,
                                                        const Tensor& sample) const {
    return sample + model_output * (1.0f - sigmas_.at(static_cast<std::size_t>(step)));
}

}  // namespace kinescope
