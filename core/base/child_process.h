#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kinescope {

struct ChildRequest {
    std::filesystem::path program;
    std::vector<std::string> arguments;  ///< without argv[0]
    double time_limit_seconds = 60;      ///< after this time, the child is killed
};

/// How a child process ended, and what it wrote to stdout.
struct ChildEnd {
    std::string output;
    int exit_code = 0;       ///< valid if signal is 0
    int signal = 0;          ///< the signal that ended the child; 0: none
    bool timed_out = false;  ///< killed because of the time limit
};

/// Runs a program and waits until it ends. Its stderr is discarded. Throws Error(internal) if it cannot be started.
ChildEnd run_child(const ChildRequest& request);

/// "SIGFPE" for 8
std::string signal_name(int signal);

}  // namespace kinescope
