#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/models/diffusion_model.h"

namespace kinescope::wan {

/// The two experts of Wan 2.2: "transformer" works at high noise, from a timestep on, and "transformer_2" below it.
/// Only the one that works is in memory: the other one is freed before it is loaded.
class Experts final : public DiffusionModel {
public:
    using Load = std::function<std::unique_ptr<DiffusionModel>(const std::string& component)>;

    /// `boundary_timestep`: the lowest one of "transformer". That expert is loaded at once.
    Experts(double boundary_timestep, Load load);

    Tensor predict(const DenoiseInput& input, const ForwardContext& context) override;
    int expert(double timestep) const override { return timestep >= boundary_timestep_ ? 0 : 1; }

private:
    void make_resident(const std::string& component);

    double boundary_timestep_;
    Load load_;
    std::string resident_;
    std::unique_ptr<DiffusionModel> model_;
};

}  // namespace kinescope::wan
