#pragma once

#include <string>
#include <vector>

#include "core/api/numeric_sample.h"
#include "core/numerics/probe.h"
#include "core/numerics/tensor_stats.h"

namespace kinescope {

/// The position in the run of the next observations.
struct MonitorScope {
    Phase phase = Phase::denoise;
    int step = 0;
    int attempt = 0;
    std::string branch;
    NonFinite non_finite = NonFinite::counts;
};

/// Computes statistics at named sites (places in a model) on the device. Copies them to the host once per step.
class NumericsMonitor {
public:
    void enter(MonitorScope scope) { scope_ = std::move(scope); }
    /// Computes the statistics of a tensor. Does not wait for the device.
    void observe(const Observation& seen);
    /// Returns the samples since the last call, in order. Waits for the device; no other method of this class does.
    std::vector<NumericSample> collect();
    /// Discards the samples since the last call of collect().
    void drop();

private:
    /// The statistics of a sample that are still on their device.
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
