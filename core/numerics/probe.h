#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/numeric_sample.h"
#include "core/base/cancellation.h"
#include "core/device/op_precision.h"
#include "core/device/precision.h"

namespace kinescope {

/// A tensor at a named site, e.g. "blocks.12.attn1" of "transformer".
struct Observation {
    std::string_view component;
    std::string_view site;
    const Tensor& value;
    OpPrecision op;  ///< how the value was computed; `value` itself may have a wider dtype
    SiteKind kind = SiteKind::block;
    Tensor row = {};  ///< the statistics (see stat_row), if the op has computed them; otherwise undefined

    /// Returns the dtype in which the value must not overflow.
    Dtype range() const { return op.level == PrecisionLevel::planned ? op.compute : at::kFloat; }
};

/// A small part of an op's result and a function that computes it again. Both keep their tensors on the device until
/// `reference` is called.
struct ShadowPart {
    Tensor actual;
    std::function<Tensor()> reference;  ///< computes the part in float32 on the CPU
    std::optional<Dtype> rounded_to =
        {};  ///< dtype to which the operands of its products are rounded; unset: the compute dtype
};

/// Which sites (named places in a model) are observed.
enum class Watch {
    sites,  ///< named sites: each block with its attention and feed-forward layer, and the layers before and after them
    ops,    ///< in addition, the sites inside ops
};

/// Receives the values that modules compute. The default implementation ignores them.
class SiteObserver {
public:
    virtual ~SiteObserver() = default;
    /// Receives a value. Must not wait for the device.
    virtual void observe(const Observation&) {}
    virtual Watch watch() const { return Watch::sites; }
    /// Returns true if the observer needs statistics of the values. An op may then compute them with its result.
    virtual bool wants_statistics() const { return false; }
    /// Returns the listener that receives the rounding errors of the op at a site until the transaction ends. Returns
    /// nullptr if they are not to be measured.
    virtual RoundingListener* rounding_listener(std::string_view /*component*/, std::string_view /*site*/,
                                                const OpPrecision& /*op*/) {
        return nullptr;
    }
    /// Returns true if a part of the op at a site should be computed a second time in this step.
    virtual bool wants_shadow(std::string_view /*component*/, std::string_view /*site*/) const { return false; }
    /// Receives the part selected by wants_shadow. Must not wait for the device; `reference` is called at the end of
    /// the step.
    virtual void shadow(const Observation& /*seen*/, ShadowPart /*part*/) {}
};

/// Decides the precision of ops. The default implementation leaves them as planned.
class PrecisionSource {
public:
    virtual ~PrecisionSource() = default;
    virtual PrecisionLevel level(std::string_view /*component*/, std::string_view /*site*/) const {
        return PrecisionLevel::planned;
    }
};

/// Repeats work whose values are faulty. The default implementation runs the work once.
class Transaction {
public:
    virtual ~Transaction() = default;
    /// Runs `work` until its values are finite. Throws NumericError if no remedy is left. `work` may run several times,
    /// so it must not change state that outlives it, except in its last statement. Commit the results after transact()
    /// has returned.
    virtual void transact(const std::function<void()>& work) { work(); }
};

/// The interface to the guard and the detectors for a running module.
class Probe : public SiteObserver, public PrecisionSource, public Transaction {};

/// A probe that observes nothing, raises nothing and repeats nothing.
using SilentProbe = Probe;

/// The context that a module receives in addition to its inputs.
struct ForwardContext {
    Probe& probe;
    const CancellationToken& cancellation;
    std::string component = {};  ///< owner of the sites: "transformer", "vae", "text_encoder" ...

    ForwardContext of(std::string name) const { return {probe, cancellation, std::move(name)}; }

    /// Returns the precision of the op at `site`: the planned one, or the one to which the guard raised it. Call it
    /// once, before the op.
    OpPrecision op(std::string_view site, const Precision& planned) const {
        OpPrecision op = raised(planned.compute, std::max(planned.level, probe.level(component, site)));
        if (op.compute != at::kFloat) op.listener = probe.rounding_listener(component, site, op);
        return op;
    }
    /// Reports a value that was computed with `op`. Throws Cancelled if the run was cancelled, so that it ends within
    /// one block.
    void observe(std::string_view site, const Tensor& value, const OpPrecision& op, SiteKind kind = SiteKind::block,
                 const Tensor& row = {}) const {
        cancellation.throw_if_requested();
        probe.observe({component, site, value, op, kind, row});
    }
    /// Reports a value that was computed in its own dtype.
    void observe(std::string_view site, const Tensor& value, SiteKind kind = SiteKind::block) const {
        observe(site, value, {.compute = value.scalar_type()}, kind);
    }
    /// Offers a part of the op at `site` for a second computation. Calls `make_part`, which must return a ShadowPart,
    /// only if the probe selects the op.
    template <class MakePart>
    void shadow(std::string_view site, const Tensor& value, const OpPrecision& op, const MakePart& make_part,
                SiteKind kind = SiteKind::block) const {
        if (probe.wants_shadow(component, site)) probe.shadow({component, site, value, op, kind}, make_part());
    }
};

/// An op while it runs. Layers use it to report values inside the op, e.g. "to_q" of "blocks.3.attn1".
struct OpScope {
    const ForwardContext& context;
    std::string_view site;
    OpPrecision op;
    SiteKind kind = SiteKind::block;  ///< kind of the sites inside the op

    /// Reports an intermediate value as "<site>.<inner>", only if the probe watches ops. A fault in it is healed by
    /// raising the op.
    void observe(std::string_view inner, const Tensor& value) const {
        if (context.probe.watch() != Watch::ops) return;
        // A kernel may return a wider dtype than planned: float16 cannot represent some weights, so their products are
        // float32.
        const auto computed = op.level == PrecisionLevel::scaled ? op : OpPrecision{.compute = value.scalar_type()};
        context.observe(name_of(inner), value, computed, kind);
    }
    /// Returns true if the probe selects an inner op for a second computation.
    bool wants_shadow(std::string_view inner) const {
        return context.probe.wants_shadow(context.component, name_of(inner));
    }
    /// Offers a part of an inner op, see ForwardContext::shadow.
    template <class MakePart>
    void shadow(std::string_view inner, const Tensor& value, const MakePart& make_part) const {
        context.shadow(name_of(inner), value, op, make_part, kind);
    }

private:
    std::string name_of(std::string_view inner) const { return std::string(site).append(".").append(inner); }
};

}  // namespace kinescope
