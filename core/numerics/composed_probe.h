#pragma once

#include <utility>

#include "core/numerics/probe.h"

namespace kinescope {

/// A Probe that forwards to one object for each of its three roles.
class ComposedProbe final : public Probe {
public:
    ComposedProbe(SiteObserver& observer, const PrecisionSource& precisions, Transaction& transaction)
        : observer_(observer), precisions_(precisions), transaction_(transaction) {}

    void observe(const Observation& seen) override { observer_.observe(seen); }
    Watch watch() const override { return observer_.watch(); }
    bool wants_statistics() const override { return observer_.wants_statistics(); }
    RoundingListener* rounding_listener(std::string_view component, std::string_view site,
                                        const OpPrecision& op) override {
        return observer_.rounding_listener(component, site, op);
    }
    bool wants_shadow(std::string_view component, std::string_view site) const override {
        return observer_.wants_shadow(component, site);
    }
    void shadow(const Observation& seen, ShadowPart part) override { observer_.shadow(seen, std::move(part)); }
    PrecisionLevel level(std::string_view component, std::string_view site) const override {
        return precisions_.level(component, site);
    }
    void transact(const std::function<void()>& work) override { transaction_.transact(work); }

private:
    SiteObserver& observer_;
    const PrecisionSource& precisions_;
    Transaction& transaction_;
};

}  // namespace kinescope
