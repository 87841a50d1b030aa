#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/child_process.h"
#include "core/device/canary.h"

namespace kinescope {

/// The result of one probe.
struct ProbeResult {
    CanaryProbe probe;
    ProbeOutcome outcome = ProbeOutcome::not_run;
    double error = 0;  ///< relative; valid if the probe returned a result
    double seconds = 0;
    double fast_seconds = 0, plain_seconds = 0;  ///< see ProbeMeasurement
    int signal = 0;                              ///< the signal that killed the child
    std::string message;                         ///< LibTorch's message if it threw
    BackendSwitches fixed_by;  ///< the switches that fixed the probe; none if no fix was found or needed

    bool failed() const { return outcome != ProbeOutcome::passed && outcome != ProbeOutcome::not_run; }
    /// Returns true if the device had too little free memory for the probe.
    bool lacked_memory() const { return outcome == ProbeOutcome::not_run && !message.empty(); }
};

/// The canary results of a device.
struct CanaryReport {
    std::vector<ProbeResult> results;
    std::string environment = {};  ///< why the device cannot be tested at present; empty if it was tested

    bool ran() const { return !results.empty() && environment.empty(); }
    /// Returns true if no probe lacked memory.
    bool is_complete() const;
    /// Returns the union of all switches that fixed a failed probe.
    BackendSwitches switches() const;
    /// Returns the fast paths all of whose probes passed.
    FastPaths fast_paths() const;
};

struct CanaryRequest {
    std::filesystem::path program;  ///< its main() must call run_as_canary_child
    DeviceCapability device;
    RowLayers row_layers = {};
    double time_limit_seconds = 120;  ///< of one probe, or of the start of a child
    CanaryReport known = {};          ///< an earlier report of these probes, of which only those run that lacked memory
    IsCancelled is_cancelled = {};
};

/// Tests a device in child processes, because a fault inside a vendor library can end the process. If a probe kills its
/// child, the next child continues with the following probe. Each failed probe is then repeated with alternative
/// backend switches until it passes. After many killed children, the others run with the switches that help; if none
/// do, the probes of that dtype that are left count as failed. A probe that lacked memory can run later, see
/// CanaryRequest::known. Throws Cancelled.
CanaryReport run_canary(const CanaryRequest& request);

/// Merges a child's output and exit status into the results, starting at index `first`. Returns the index of the first
/// probe that the child did not reach. Pure.
int merge_child(const ChildEnd& end, int first, CanaryReport& report);

/// Returns one sentence about a failed probe: what happened, and which switches fix it. Pure.
std::string verdict(const ProbeResult& result);

/// Returns the device with the results of the canary applied. A 16-bit or float8 dtype
/// becomes faulty if one of its probes failed without a fix. The device becomes unusable if half of the float32 probes
/// failed without a fix, or if the canary could not run. Pure.
DeviceCapability apply_canary(DeviceCapability device, const CanaryReport& report);

}  // namespace kinescope
