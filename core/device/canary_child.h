#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/canary.h"

namespace kinescope {

/// What a child process is told: which probes to run on which device.
struct CanaryOrder {
    std::string device;  ///< "cuda:0"
    int first = 0;       ///< index into canary_probes
    int count = 0;
    BackendSwitches switches;
};

/// The hidden command that makes a program try a device in place of its own work.
inline constexpr const char* kCanaryCommand = "canary-child";

std::vector<std::string> to_arguments(const CanaryOrder& order);
/// The inverse, of the arguments after the program's name; nullopt: not a canary's.
std::optional<CanaryOrder> parse_order(const std::vector<std::string>& arguments);

/// Does what is ordered in this process and reports on stdout, line by line and at once, because any probe may be the
/// last: "environment WORDS" where nothing can be computed on the device; else for each probe "begin I", and "end I
/// ERROR SECONDS" or "refused I WORDS". A fault of the device itself ends the child after its "refused", because
/// nothing more can be computed in that process. Returns the exit code. A fault that the environment variable
/// KINESCOPE_CANARY_FAULT plants is for tests: see plant_fault.
int run_canary_child(const CanaryOrder& order);

/// "part of a probe's name:what[:planned]", where `what` is a signal's name, hang or wrong, and `planned` spares the
/// ways around.
struct PlantedFault {
    std::string probe;
    std::string what;
    bool spares_alternatives = false;
};
std::optional<PlantedFault> parse_planted_fault(std::string_view text);

}  // namespace kinescope
