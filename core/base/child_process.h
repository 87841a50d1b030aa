#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/cancellation.h"

namespace kinescope {

struct ChildRequest {
    std::filesystem::path program;
    std::vector<std::string> arguments;  ///< without argv[0]
    double time_limit_seconds = 60;      ///< a child that writes nothing for this time is killed
    IsCancelled is_cancelled = {};
};

/// The exit status of a child process and its output on stdout.
struct ChildEnd {
    std::string output;
    int exit_code = 0;       ///< valid if signal is 0
    int signal = 0;          ///< the signal that ended the child; 0: none
    bool timed_out = false;  ///< killed because it wrote nothing for too long
};

/// Runs a program and waits until it ends. Its stderr is discarded. Throws Error(internal) if it cannot be started, and
/// Cancelled after killing it if the caller no longer waits.
ChildEnd run_child(const ChildRequest& request);

/// The channel of a child that leads to its parent.
enum class ParentChannel { input, output };
/// For a child: ends this process when its parent has closed the other end of the channel, at the latest by its end.
/// The signals that end a whole program do not end its children, see ShieldedSpawn.
void end_with_parent(ParentChannel channel);

/// Returns the name of a signal: "SIGFPE" for 8, "signal 64" if it has no known name.
std::string signal_name(int signal);

}  // namespace kinescope
