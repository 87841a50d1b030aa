#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/canary.h"

namespace kinescope {

/// The order that a child process receives: the device and the range of probes to run on it.
struct CanaryOrder {
    std::string device;  ///< "cuda:0"
    int first = 0;       ///< index into canary_probes
    int count = 0;
    BackendSwitches switches;
};

/// Hidden subcommand that makes a program probe a device instead of doing its normal work.
inline constexpr const char* kCanaryCommand = "canary-child";

std::vector<std::string> to_arguments(const CanaryOrder& order);
/// Parses the result of to_arguments. `arguments` must not contain the program name. Returns nullopt if they are not a
/// canary command.
std::optional<CanaryOrder> parse_order(const std::vector<std::string>& arguments);

/// Runs the probes in this process and reports each result on stdout immediately, because any probe may end the
/// process. Writes "environment MESSAGE" if the device cannot compute at all; otherwise "begin I" for each probe,
/// followed by "end I ERROR SECONDS" or "refused I MESSAGE", or only "skipped I" for a fused kernel if they cannot be
/// loaded. A fault of the device itself ends the child after "refused", because this process can no longer use the
/// device. The process ends with its parent, even while a probe hangs. `row_layers` must be those of the parent
/// process.
/// Tests inject faults with the environment variable KINESCOPE_CANARY_FAULT (see parse_planted_fault). Returns the exit
/// code.
int run_canary_child(const CanaryOrder& order, const RowLayers& row_layers);

/// A fault that a test injects, written as "part of a probe's name:what[:planned]". `what` is a signal name, "hang",
/// "wrong", "full", "lost" or "no-driver". With `planned`, the fault does not occur if backend switches are set.
struct PlantedFault {
    std::string probe;
    std::string what;
    bool spares_alternatives = false;
};
std::optional<PlantedFault> parse_planted_fault(std::string_view text);

}  // namespace kinescope
