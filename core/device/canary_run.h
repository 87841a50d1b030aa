#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/child_process.h"
#include "core/device/canary.h"

namespace kinescope {

enum class ProbeOutcome { not_run, passed, wrong, refused, killed, hung };

std::string to_string(ProbeOutcome outcome);

/// What one probe did.
struct ProbeResult {
    CanaryProbe probe;
    ProbeOutcome outcome = ProbeOutcome::not_run;
    double error = 0;  ///< relative; where it answered
    double seconds = 0;
    int signal = 0;            ///< that killed it
    std::string words;         ///< LibTorch's, where it refused
    BackendSwitches cured_by;  ///< the way around that was found to work; none: nothing was found, or needed

    bool failed() const { return outcome != ProbeOutcome::passed && outcome != ProbeOutcome::not_run; }
};

/// What a device did in the canary.
struct CanaryReport {
    std::vector<ProbeResult> results;
    std::string environment = {};  ///< why the device cannot be tried here and now; empty: it was

    bool ran() const { return !results.empty() && environment.empty(); }
    /// Whether it says something of the device that holds for the next run, too.
    bool is_lasting() const;
    /// Everything that cures a failed probe.
    BackendSwitches switches() const;
};

struct CanaryRequest {
    std::filesystem::path program;  ///< whose main calls run_as_canary_child
    DeviceCapability device;
    double time_limit_seconds = 120;  ///< of one child
};

/// Tries a device in child processes, because a fault inside a vendor's library ends the process: a probe that kills
/// its child is noted and the next child goes on behind it. Each failed probe is then tried with the ways around.
CanaryReport run_canary(const CanaryRequest& request);

/// Lays what a child said and how it ended over the report's results from index `first` on. Returns the index of the
/// first probe that it did not come to. Pure.
int take_child(const ChildEnd& end, int first, CanaryReport& report);

/// One readable sentence for a failed probe: what happened, and the way around. Pure.
std::string verdict(const ProbeResult& result);

/// The device as the policy may use it after the canary: a dtype of 16 bits with a probe that failed without a way
/// around is taken from it. Float32 is what remains then, so the device is unusable only where half of its probes
/// failed or where it could not be tried at all. Pure.
DeviceCapability apply_canary(DeviceCapability device, const CanaryReport& report);

}  // namespace kinescope
