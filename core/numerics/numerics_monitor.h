#pragma once

#include <string>
#include <vector>

#include "core/api/numeric_sample.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// Where in a run the sites belong that come next.
struct MonitorScope {
    Phase phase = Phase::denoise;
    int step = 0;
    int attempt = 0;
    std::string branch;
};

/// Gathers statistics at named sites, on the device, and brings them to the host in one copy per step.
class NumericsMonitor {
public:
    void enter(MonitorScope scope) { scope_ = std::move(scope); }
    void enter_attempt(int attempt) { scope_.attempt = attempt; }
    /// Does not wait for the device.
    void observe(const Observation& seen);
    /// The samples since the last call, in order. The only place that waits for the device.
    std::vector<NumericSample> collect();

private:
    /// Statistics that are still on their device.
    struct PendingRow {
        std::size_t sample;
        Dtype dtype;
        Tensor row;
    };

    MonitorScope scope_;
    std::vector<NumericSample> samples_;
    std::vector<PendingRow> pending_;
};

}  // namespace kinescope
