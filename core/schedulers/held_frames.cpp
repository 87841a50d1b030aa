#include "core/schedulers/held_frames.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/device/host_copy.h"

namespace kinescope {

HeldFrames::HeldFrames(std::unique_ptr<Scheduler> inner, const Tensor& latents, const Tensor& noise)
    : inner_(std::move(inner)), velocity_(noise.slice(2, 0, latents.size(2)) - latents.to(noise.device())) {}

Tensor HeldFrames::held(const Tensor& model_output) const {
    return at::cat({sent_to(velocity_, model_output.device()), model_output.slice(2, velocity_.size(2))}, 2);
}

}  // namespace kinescope
