#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/cancellation.h"
#include "core/device/op_precision.h"
#include "core/device/precision.h"

namespace kinescope {

/// A tensor at a named site, e.g. "blocks.12.attn1" of "transformer".
struct Observation {
    std::string_view component;
    std::string_view site;
    const Tensor& value;
    Dtype computed;  ///< the dtype that the value was computed in; `value` may be wider
};

/// Watches the numbers of modules while they run, and says how their ops compute. This one watches nothing and raises
/// nothing.
class Probe {
public:
    virtual ~Probe() = default;
    /// Must not synchronise with the device.
    virtual void observe(const Observation&) {}
    /// How far the op at a site is raised.
    virtual Rung rung(std::string_view /*component*/, std::string_view /*site*/) const { return Rung::planned; }
    /// Runs `work` until its numbers are good or nothing is left to try; then throws Error(not_finite). `work` may run
    /// several times: it must leave everything as it was until its last statement, and commit after transact returns.
    virtual void transact(const std::function<void()>& work) { work(); }
};

using SilentProbe = Probe;

/// What a module is given while it runs, besides its inputs.
struct ForwardContext {
    Probe& probe;
    const CancellationToken& cancellation;
    std::string component = {};  ///< whose sites these are: "transformer", "vae", "text_encoder" ...

    ForwardContext of(std::string name) const { return {probe, cancellation, std::move(name)}; }

    /// How the op at `site` computes: as planned, or as the guard raised it. Ask once, before the op.
    OpPrecision op(std::string_view site, const Precision& planned) const {
        return raised(planned.compute, probe.rung(component, site));
    }
    /// Called at every named site, after the op that was run with `op`: notices a cancel within one block. Throws
    /// Cancelled.
    void observe(std::string_view site, const Tensor& value, const OpPrecision& op) const {
        observe_as(site, value, op.rung == Rung::planned ? op.compute : at::kFloat);
    }
    /// For a value that was computed in its own dtype.
    void observe(std::string_view site, const Tensor& value) const { observe_as(site, value, value.scalar_type()); }

private:
    void observe_as(std::string_view site, const Tensor& value, Dtype computed) const {
        cancellation.throw_if_requested();
        probe.observe({component, site, value, computed});
    }
};

}  // namespace kinescope
