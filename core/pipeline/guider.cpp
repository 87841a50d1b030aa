#include "core/pipeline/guider.h"

#include <ATen/ATen.h>

namespace kinescope {

Guider::Guider(const Conditioning& conditioning, double guidance_scale) : guidance_scale_(guidance_scale) {
    branches_.push_back({"cond", conditioning.prompt_embeds});
    if (guidance_scale > 1 && conditioning.negative_prompt_embeds.defined()) {
        branches_.push_back({"uncond", conditioning.negative_prompt_embeds});
    }
}

Tensor Guider::combine(const std::vector<Tensor>& predictions) const {
    if (predictions.size() == 1) return predictions.front();
    const Tensor& cond = predictions[0];
    const Tensor& uncond = predictions[1];
    return uncond + guidance_scale_ * (cond - uncond);
}

}  // namespace kinescope
