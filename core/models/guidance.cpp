#include "core/models/guidance.h"

#include <ATen/ATen.h>

#include <cmath>

namespace kinescope {

std::span<const Branch> Guidance::branches_at(int step) const {
    const bool is_guided = step >= first_step && step < end_step;
    return {branches.data(), is_guided ? branches.size() : 1};
}

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

Guidance within(Guidance guidance, double start, double stop, int num_steps) {
    guidance.first_step = static_cast<int>(std::lround(start * num_steps));
    guidance.end_step = static_cast<int>(std::lround(stop * num_steps));
    return guidance;
}

}  // namespace kinescope
