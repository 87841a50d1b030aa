#pragma once

#include <string>
#include <vector>

#include "core/api/numeric_sample.h"
#include "core/numerics/probe.h"
#include "core/numerics/tensor_stats.h"

namespace kinescope {

/// Where in a run the sites belong that come next.
struct MonitorScope {
    Phase phase = Phase::denoise;
    int step = 0;
    int attempt = 0;
    std::string branch;
    NonFinite non_finite = NonFinite::counts;
};

/// What follows the dtype in NumericSample::dtype for an op on the scaled rung: "float16 scaled".
inline constexpr const char* kScaledSuffix = " scaled";
/// As NumericSample::dtype spells it.
std::string computed_in(const OpPrecision& op);

/// Gathers statistics at named sites, on the device, and brings them to the host in one copy per step.
class NumericsMonitor {
public:
    void enter(MonitorScope scope) { scope_ = std::move(scope); }
    void enter_attempt(int attempt, NonFinite non_finite) {
        scope_.attempt = attempt;
        scope_.non_finite = non_finite;
    }
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
