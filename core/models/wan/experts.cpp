#include "core/models/wan/experts.h"

#include <ATen/ATen.h>

#include <utility>

namespace kinescope::wan {

Experts::Experts(double boundary_timestep, Load load) : boundary_timestep_(boundary_timestep), load_(std::move(load)) {
    make_resident("transformer");
}

void Experts::make_resident(const std::string& component) {
    if (component == resident_) return;
    model_.reset();
    resident_.clear();
    model_ = load_(component);
    resident_ = component;
}

Tensor Experts::predict(const DenoiseInput& input, const ForwardContext& context) {
    make_resident(expert(input.timestep) == 0 ? "transformer" : "transformer_2");
    return model_->predict(input, context.of(resident_));
}

}  // namespace kinescope::wan
