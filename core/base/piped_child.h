#pragma once

#include <filesystem>
#include <memory>
#include <optional>
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
    /// Kills the child if it is still running, unless leave() was called.
    ~PipedChild();
    PipedChild(const PipedChild&) = delete;
    PipedChild& operator=(const PipedChild&) = delete;

    ByteChannel& input() { return input_; }    ///< the child's standard input
    ByteChannel& output() { return output_; }  ///< the child's standard output
    ByteChannel& errors() { return errors_; }  ///< the child's standard error
    std::int64_t pid() const { return pid_; }

    /// Sends SIGKILL, also to a stopped child. Thread-safe until wait() returns.
    void kill();
    /// Returns true if the child has ended. Its status is kept for wait().
    bool has_ended() const;
    /// Waits until the child has ended; kills it after this time. Returns nullopt if it still exists 5 s later: a
    /// process cannot be killed while a driver holds it. Call it once.
    std::optional<ChildStatus> wait(double seconds);
    /// Lets the child run on by itself. Call it instead of wait().
    void leave() { is_over_ = true; }

private:
    ByteChannel input_;
    ByteChannel output_;
    ByteChannel errors_;
    std::int64_t pid_ = 0;
    bool is_over_ = false;  ///< the child has ended, or was left
};

}  // namespace kinescope
