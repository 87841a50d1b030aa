#pragma once

#include <functional>
#include <optional>
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
    OpPrecision op;  ///< how the value was computed; `value` may be wider

    /// The dtype whose range the value has to stay in.
    Dtype range() const { return op.rung == Rung::planned ? op.compute : at::kFloat; }
};

/// A small part of an op's result, and how to compute it again. What both need stays on the device until then.
struct ShadowPart {
    Tensor actual;
    std::function<Tensor()> reference;     ///< in float32 on the CPU
    std::optional<Dtype> rounded_to = {};  ///< the factors of its products, where that is not how the op computes
};

/// How closely a probe looks.
enum class Watch {
    sites,  ///< every named site: each block with its attention and feed-forward, what comes before and after them
    ops,    ///< and the sites inside of an op
};

/// Watches the numbers of modules while they run, and says how their ops compute. This one watches nothing and raises
/// nothing.
class Probe {
public:
    virtual ~Probe() = default;
    /// Must not synchronise with the device.
    virtual void observe(const Observation&) {}
    virtual Watch watch() const { return Watch::sites; }
    /// How far the op at a site is raised.
    virtual Rung rung(std::string_view /*component*/, std::string_view /*site*/) const { return Rung::planned; }
    /// Who hears what the precision of the op at a site costs, until the end of the transaction; nullptr: nobody.
    virtual RoundingListener* rounding_listener(std::string_view /*component*/, std::string_view /*site*/,
                                                const OpPrecision& /*op*/) {
        return nullptr;
    }
    /// Whether a part of the op at a site is to be computed again, now.
    virtual bool wants_shadow(std::string_view /*component*/, std::string_view /*site*/) const { return false; }
    /// The part. Must not synchronise with the device, and `reference` is not called before the step's end.
    virtual void shadow(const Observation& /*seen*/, ShadowPart /*part*/) {}
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
        OpPrecision op = raised(planned.compute, probe.rung(component, site));
        if (op.compute != at::kFloat) op.listener = probe.rounding_listener(component, site, op);
        return op;
    }
    /// Called at every named site, after the op that was run with `op`: notices a cancel within one block. Throws
    /// Cancelled.
    void observe(std::string_view site, const Tensor& value, const OpPrecision& op) const {
        observe_as(site, value, op);
    }
    /// For what is computed on the way to that op's result, at "<site>.<inner>": looked at only in Watch::ops, and
    /// healed by raising the op.
    void observe_inner(std::string_view site, std::string_view inner, const Tensor& value,
                       const OpPrecision& op) const {
        if (probe.watch() != Watch::ops) return;
        // As it came out of its kernel: a weight that float16 cannot hold makes a float32 of it.
        const auto computed = op.rung == Rung::scaled ? op : OpPrecision{.compute = value.scalar_type()};
        observe_as(std::string(site).append(".").append(inner), value, computed);
    }
    /// For a value that was computed in its own dtype.
    void observe(std::string_view site, const Tensor& value) const {
        observe_as(site, value, {.compute = value.scalar_type()});
    }

private:
    void observe_as(std::string_view site, const Tensor& value, const OpPrecision& op) const {
        cancellation.throw_if_requested();
        probe.observe({component, site, value, op});
    }
};

/// An op while it runs, for a layer that names what lies inside of it: "to_q" of "blocks.3.attn1".
struct OpScope {
    const ForwardContext& context;
    std::string_view site;
    OpPrecision op;

    void observe(std::string_view inner, const Tensor& value) const { context.observe_inner(site, inner, value, op); }
    /// Hands a part of an inner op over to be computed again, if the probe wants that: `cut` makes the ShadowPart.
    template <class Cut>
    void shadow(std::string_view inner, const Tensor& value, const Cut& cut) const {
        const std::string name = std::string(site).append(".").append(inner);
        if (context.probe.wants_shadow(context.component, name))
            context.probe.shadow({context.component, name, value, op}, cut());
    }
};

}  // namespace kinescope
