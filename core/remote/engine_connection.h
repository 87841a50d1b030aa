#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/api/engine.h"
#include "core/base/piped_child.h"
#include "core/remote/engine_end.h"
#include "core/remote/last_lines.h"
#include "core/remote/message_channel.h"
#include "core/remote/message_queue.h"

namespace kinescope::remote {

using protocol::Json;

/// What happens to a process that still runs EngineProgram::longest_close_seconds after its connection was closed.
enum class LateProcess { goes_on, is_killed };

/// The process in which an engine runs.
struct EngineProgram {
    std::filesystem::path program;             ///< kinescope-cli
    std::vector<std::string> arguments;        ///< {"serve"}
    std::string version;                       ///< of this program
    JobStart job_start = JobStart::by_itself;  ///< as the arguments say
    double longest_greeting_seconds = 120;     ///< it loads its libraries first, which takes long on a slow disk
    double longest_silence_seconds = 20;       ///< without a message; then the process is killed
    std::stop_token cancel = {};               ///< ends the process, and with it all waiting calls
    double longest_close_seconds = 60;         ///< after the connection was closed; then see late_process
    LateProcess late_process = LateProcess::goes_on;
};

/// Thrown by a call whose engine ended before it answered.
struct ConnectionLost {};

/// The result of a call.
struct Reply {
    Json value;
    std::vector<FramePtr> frames;
};

/// A running engine process: sends requests, receives answers, and passes on events.
class EngineConnection {
public:
    /// Called on a thread of the connection.
    struct Receiver {
        MessageQueue& events;  ///< where `on_event` puts the events
        std::function<void(protocol::EventMessage event)> on_event;
        std::function<void()> on_end;  ///< called once
    };

    /// Starts the process and waits for its greeting. Throws Error(engine_lost) if it cannot be started, ends or hangs,
    /// and Error(unsupported) if it has another version.
    EngineConnection(EngineProgram program, Receiver receiver);
    /// See close().
    ~EngineConnection();
    EngineConnection(const EngineConnection&) = delete;
    EngineConnection& operator=(const EngineConnection&) = delete;

    /// Calls a method of the engine and waits for its answer, and for the delivery of the events that were sent before
    /// the answer, unless `events_thread` is the calling thread. Throws the engine's Error, or ConnectionLost.
    Reply call(const std::string& name, Json arguments, std::thread::id events_thread);

    /// nullopt while the engine runs.
    std::optional<EngineEnd> end() const;
    /// Closes the connection and waits until the engine has saved its running job and ended, but not longer than
    /// EngineProgram::longest_close_seconds.
    void close();

private:
    /// A request without an answer.
    struct Pending {
        std::string call;
        Reply reply = {};
        std::optional<Error> error = {};
        MessageQueue::Number events_before = 0;
        bool answered = false;
    };

    void greet();
    void watch_process(const std::stop_token& greeted);
    void read_messages();
    void take(protocol::Message message);
    void finish(EngineEnd end);
    bool is_late() const;
    void read_errors();
    void end_errors_thread();
    [[noreturn]] void throw_not_greeted();

    const EngineProgram program_;
    const Receiver receiver_;
    PipedChild child_;
    MessageReader reader_;
    MessageWriter writer_;
    LastLines last_lines_;
    mutable std::mutex mutex_;  ///< guards the members down to is_late_
    std::condition_variable answered_;
    std::map<protocol::RequestId, std::shared_ptr<Pending>> pending_;
    protocol::RequestId last_id_ = 0;
    std::optional<EngineEnd> end_;
    std::optional<Error> refusal_;                                        ///< why the engine ended the connection
    bool is_late_ = false;                                                ///< the process took too long to end
    std::optional<std::stop_callback<std::function<void()>>> on_cancel_;  ///< while the process can be killed
    std::thread errors_thread_;
    std::thread messages_thread_;
};

}  // namespace kinescope::remote
