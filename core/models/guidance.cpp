#include "core/models/guidance.h"

#include <ATen/ATen.h>

namespace kinescope {

Tensor Guidance::combine(int step, const std::vector<Tensor>& predictions) const {
    if (predictions.size() == 1) return predictions.front();
    const Tensor& cond = predictions[0];
    const Tensor& uncond = predictions[1];
    const Tensor& scale = scales.size() == 1 ? scales.front() : scales.at(static_cast<std::size_t>(step));
    return uncond + scale.to(cond.device()) * (cond - uncond);
}

Guidance constant_guidance(const Conditioning& conditioning, double guidance_scale) {
    if (guidance_scale <= 1 || !conditioning.negative_prompt_embeds.defined()) return {};
    return {.branches = {Branch::cond, Branch::uncond}, .scales = {at::scalar_tensor(guidance_scale, at::kFloat)}};
}

}  // namespace kinescope
