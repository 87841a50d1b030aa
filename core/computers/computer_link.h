#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/api/computers.h"
#include "core/base/stopwatch.h"
#include "core/remote/engine_connection.h"
#include "core/remote/remote_parts.h"

namespace kinescope::computers {

/// A connection that is only made to test a computer.
struct ConnectionTest {
    std::stop_token cancel;
};

/// The connection to the engine of another computer. It is made when it is needed, and again after it was lost.
class ComputerLink {
public:
    struct Receiver {
        std::function<void(JobId, const RunEvent&)> on_event;  ///< on a thread of the link
        std::function<void()> on_change;                       ///< of the state; on any thread
    };

    /// `version`: of this program. Does not connect. The process of a test is killed if it does not end soon after the
    /// close: ssh waits for every program there that holds its output.
    ComputerLink(Computer computer, std::string version, Receiver receiver, std::optional<ConnectionTest> test = {});
    /// The engine there goes on.
    ~ComputerLink();
    ComputerLink(const ComputerLink&) = delete;
    ComputerLink& operator=(const ComputerLink&) = delete;

    /// Calls a method of the engine; connects first if necessary. Throws Unreachable if that fails or the connection is
    /// lost, and the engine's error, see error_there.
    remote::Reply call(const std::string& name, const protocol::Json& arguments, remote::AfterLoss after_loss);
    /// Connects if necessary. Returns the number of the connection, see generation(). Throws Unreachable.
    int open();
    /// The same as call() over this connection only: the next one may be to another engine, which gives the ids of jobs
    /// to other ones.
    remote::Reply call_over(int generation, const std::string& name, const protocol::Json& arguments);

    ComputerState state() const;
    std::optional<Error> last_error() const;
    /// The last messages that arrived over the connection before the present one, oldest first.
    std::vector<std::string> last_lines() const;
    /// Counts the connections; 0: none was made.
    int generation() const;
    /// Gives up a connection that is being made. No call succeeds any more.
    void close();

private:
    struct Opened {
        std::shared_ptr<remote::EngineConnection> connection;
        int generation = 0;
    };
    Opened connected();
    Opened note_connection(std::shared_ptr<remote::EngineConnection> fresh);
    std::shared_ptr<remote::EngineConnection> connect();
    [[noreturn]] void throw_lost() const;
    void set_state(ComputerState state, std::optional<Error> error);
    void note_end();
    void deliver();

    const Computer computer_;
    const std::string version_;
    const Receiver receiver_;
    const std::optional<ConnectionTest> test_;
    std::stop_source closing_;  ///< ends a process that does not greet
    remote::MessageQueue events_;
    std::mutex connecting_;     ///< held while a connection is made
    mutable std::mutex mutex_;  ///< guards the members down to closed_
    std::shared_ptr<remote::EngineConnection> connection_;
    ComputerState state_ = ComputerState::idle;
    std::optional<Error> error_;
    std::vector<std::string> last_lines_;
    Stopwatch since_failure_;
    int generation_ = 0;
    bool closed_ = false;
    std::thread delivery_;
};

/// How a command is started on this computer. Throws Error(bad_request or file_not_found).
remote::EngineProgram program_of(const Computer& computer, const std::string& version);

}  // namespace kinescope::computers
