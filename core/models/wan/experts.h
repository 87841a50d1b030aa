#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/models/diffusion_model.h"

namespace kinescope::wan {

/// The two experts of Wan 2.2: "transformer" runs at high noise, down to the boundary timestep, and "transformer_2"
/// below it. Only the running expert is in memory; it is freed before the other one is loaded.
class Experts final : public DiffusionModel {
public:
    using Load = std::function<std::unique_ptr<DiffusionModel>(const std::string& component)>;

    /// `boundary_timestep` is the lowest timestep of "transformer", which is loaded immediately.
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
