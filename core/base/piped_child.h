#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/byte_channel.h"

namespace kinescope {

/// How a child process ended.
struct ChildStatus {
    int exit_code = 0;  ///< valid if signal is 0
    int signal = 0;     ///< the signal that ended it; 0: none
};

/// A running child process whose standard streams are pipes.
class PipedChild {
public:
    /// Throws Error(engine_lost) if the program cannot be started.
    PipedChild(const std::filesystem::path& program, const std::vector<std::string>& arguments);
    /// Kills the child if it is still running.
    ~PipedChild();
    PipedChild(const PipedChild&) = delete;
    PipedChild& operator=(const PipedChild&) = delete;

    ByteChannel& input() { return input_; }    ///< the child's standard input
    ByteChannel& output() { return output_; }  ///< the child's standard output
    ByteChannel& errors() { return errors_; }  ///< the child's standard error
    std::int64_t pid() const { return pid_; }

    /// Sends SIGKILL, also to a stopped child. Thread-safe until wait() returns.
    void kill();
    /// Waits until the child has ended; kills it after this time. Call it once.
    ChildStatus wait(double seconds);

private:
    ByteChannel input_;
    ByteChannel output_;
    ByteChannel errors_;
    std::int64_t pid_ = 0;
    bool has_ended_ = false;
};

}  // namespace kinescope
