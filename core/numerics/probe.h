#pragma once

#include <string_view>

#include "core/base/cancellation.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Told of the tensors at named sites while a module runs. Must not synchronise with the device.
class Probe {
public:
    virtual ~Probe() = default;
    virtual void observe(std::string_view site, const Tensor& value) = 0;
};

/// Watches nothing.
class SilentProbe final : public Probe {
public:
    void observe(std::string_view, const Tensor&) override {}
};

/// What a module is given while it runs, besides its inputs.
struct ForwardContext {
    Probe& probe;
    const CancellationToken& cancellation;

    /// Called at every named site, e.g. "blocks.12.attn1": notices a cancel within one block. Throws Cancelled.
    void observe(std::string_view site, const Tensor& value) const {
        cancellation.throw_if_requested();
        probe.observe(site, value);
    }
};

}  // namespace kinescope
