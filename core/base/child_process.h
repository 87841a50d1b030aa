#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kinescope {

struct ChildRequest {
    std::filesystem::path program;
    std::vector<std::string> arguments;  ///< without the program's name
    double time_limit_seconds = 60;      ///< then the child is killed
};

/// How a child ended, and what it had written to stdout by then.
struct ChildEnd {
    std::string output;
    int exit_code = 0;       ///< where no signal ended it
    int signal = 0;          ///< that ended it; 0: none
    bool timed_out = false;  ///< this process killed it for its time limit
};

/// Runs a program and waits for its end, whatever that is; its stderr is thrown away. Throws Error(internal) where it
/// cannot be started at all.
ChildEnd run_child(const ChildRequest& request);

/// "SIGFPE" of 8
std::string signal_name(int signal);

}  // namespace kinescope
