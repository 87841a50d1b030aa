#include "core/remote/engine_connection.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

#include "core/api/joined.h"
#include "core/protocol/protocol_error.h"
#include "core/remote/handshake.h"
#include "core/remote/printable_lines.h"

namespace kinescope::remote {

using protocol::Answer;
using protocol::AnswerFrames;
using protocol::EventMessage;
using protocol::Hello;
using protocol::Message;
using protocol::ProtocolError;
using protocol::Request;

namespace {

/// The time that a process may take to end after it has closed its output.
constexpr double kSecondsToExit = 10;

/// How long a greeting may take after the process has ended: a script may have started the engine.
constexpr std::chrono::seconds kLongestGreetingAfterEnd{10};

}  // namespace

EngineConnection::EngineConnection(EngineProgram program, Receiver receiver)
    : program_(std::move(program)),
      receiver_(std::move(receiver)),
      child_(program_.program, program_.arguments),
      reader_(child_.output()),
      writer_(child_.input()) {
    errors_thread_ = std::thread([this] { read_errors(); });
    on_cancel_.emplace(program_.cancel, [this] {
        child_.kill();
        child_.output().stop_waiting();  // another process may have inherited it
    });
    try {
        greet();
        messages_thread_ = std::thread([this] { read_messages(); });
    } catch (...) {
        on_cancel_.reset();
        child_.kill();
        end_errors_thread();
        throw;
    }
}

EngineConnection::~EngineConnection() {
    close();
}

void EngineConnection::close() {
    writer_.close();
    if (!messages_thread_.joinable()) return;
    {
        std::unique_lock lock(mutex_);
        const std::chrono::duration<double> longest(program_.longest_close_seconds);
        is_late_ = !answered_.wait_for(lock, longest, [this] { return end_.has_value(); });
    }
    child_.output().stop_waiting();
    messages_thread_.join();
}

void EngineConnection::greet() {
    const std::jthread watch([this](const std::stop_token& greeted) { watch_process(greeted); });
    try {
        writer_.send(make_hello(program_.version, 0));
        const auto first = reader_.next(program_.longest_greeting_seconds);
        const auto* hello = first ? std::get_if<Hello>(&*first) : nullptr;
        if (hello == nullptr) throw_not_greeted();
        require_same_version(Peer::engine, *hello, program_.version);
    } catch (const ProtocolError& error) {
        child_.kill();
        end_errors_thread();
        throw Error(ErrorCode::engine_lost, "'" + program_.program.string() + "' is not an engine: " + error.what(),
                    "Install Kinescope again.",
                    {{"path", program_.program.string()}, {"lines", joined(last_lines_.lines(), "\n")}});
    }
}

/// Gives up the greeting some seconds after the process has ended. Its output need not end with it: another process may
/// have inherited it.
void EngineConnection::watch_process(const std::stop_token& greeted) {
    constexpr std::chrono::milliseconds kStep{100};
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    for (auto left = kLongestGreetingAfterEnd / kStep; left > 0;) {
        changed.wait_for(lock, greeted, kStep, [] { return false; });
        if (greeted.stop_requested()) return;
        if (child_.has_ended()) --left;
    }
    child_.output().stop_waiting();
}

void EngineConnection::throw_not_greeted() {
    child_.kill();
    end_errors_thread();  // its last lines name the cause
    const bool hangs = reader_.end() == MessageReader::End::silent;
    const std::vector<std::string> lines = last_lines_.lines();
    std::string message =
        "'" + program_.program.string() + (hangs ? "' runs, but it does not greet" : "' ended before it greeted");
    if (!lines.empty()) message += "; " + joined(lines, "; ");
    throw Error(ErrorCode::engine_lost, message, "Run 'kinescope-cli doctor' to check the installation.",
                {{"path", program_.program.string()}, {"lines", joined(lines, "\n")}});
}

Reply EngineConnection::call(const std::string& name, Json arguments, std::thread::id events_thread) {
    const auto pending = std::make_shared<Pending>(Pending{.call = name});
    Request request{.id = 0, .call = name, .arguments = std::move(arguments)};
    {
        const std::lock_guard lock(mutex_);
        if (end_) throw ConnectionLost{};
        request.id = ++last_id_;
        pending_[request.id] = pending;
    }
    writer_.send(request);  // if the engine has ended, the end arrives on the other thread
    {
        std::unique_lock lock(mutex_);
        answered_.wait(lock, [&] { return pending->answered || end_; });
        pending_.erase(request.id);
        if (!pending->answered) throw ConnectionLost{};
    }
    if (std::this_thread::get_id() != events_thread) receiver_.events.wait_until_handled(pending->events_before);
    if (pending->error) throw Error(*pending->error);
    return std::move(pending->reply);
}

std::optional<EngineEnd> EngineConnection::end() const {
    const std::lock_guard lock(mutex_);
    return end_;
}

void EngineConnection::read_messages() {
    EngineEnd end;
    try {
        while (auto message = reader_.next(program_.longest_silence_seconds)) take(std::move(*message));
        if (reader_.end() == MessageReader::End::silent) end.silent_seconds = program_.longest_silence_seconds;
    } catch (const std::exception& error) {  // a ProtocolError, or a message that memory does not suffice for
        end.invalid_message = error.what();
    }
    finish(std::move(end));
}

void EngineConnection::take(Message message) {
    if (auto* event = std::get_if<EventMessage>(&message)) return receiver_.on_event(std::move(*event));
    const std::lock_guard lock(mutex_);
    if (auto* frames = std::get_if<AnswerFrames>(&message)) {
        const auto found = pending_.find(frames->id);
        if (found == pending_.end()) throw ProtocolError("frames for an unknown request");
        std::ranges::move(frames->frames, std::back_inserter(found->second->reply.frames));
    } else if (auto* answer = std::get_if<Answer>(&message)) {
        if (answer->id == 0) {
            refusal_ = answer->error;
            return;
        }
        const auto found = pending_.find(answer->id);
        if (found == pending_.end() || found->second->answered) throw ProtocolError("an answer to an unknown request");
        Pending& pending = *found->second;
        pending.reply.value = std::move(answer->value);
        pending.error = std::move(answer->error);
        pending.events_before = receiver_.events.newest();
        pending.answered = true;
        answered_.notify_all();
    } else if (!std::holds_alternative<protocol::Heartbeat>(message)) {
        throw ProtocolError("an engine does not send this message");
    }
}

/// Ends the process if it still runs, and wakes the waiting calls.
void EngineConnection::finish(EngineEnd end) {
    on_cancel_.reset();  // the number of a process that has ended may belong to another one
    if (end.silent_seconds > 0 || !end.invalid_message.empty()) child_.kill();
    if (is_late() && program_.late_process == LateProcess::goes_on)
        child_.leave();
    else
        end.status = child_.wait(is_late() ? 0 : kSecondsToExit);
    end_errors_thread();
    end.last_lines = last_lines_.lines();
    {
        const std::lock_guard lock(mutex_);
        if (refusal_) end.last_lines.push_back(refusal_->message());
        end.reason = refusal_;
        for (const auto& [id, pending] : pending_)
            if (!pending->answered) end.unanswered.push_back(pending->call);
        end_ = std::move(end);
        answered_.notify_all();
    }
    receiver_.on_end();
}

bool EngineConnection::is_late() const {
    const std::lock_guard lock(mutex_);
    return is_late_;
}

/// Another process may have inherited the standard error and keep it open.
void EngineConnection::end_errors_thread() {
    child_.errors().stop_waiting();
    if (errors_thread_.joinable()) errors_thread_.join();
}

/// Keeps the last lines, and passes all lines on to this process's standard error, which may be a terminal.
void EngineConnection::read_errors() {
    const auto print = [](const std::string& lines) { std::fwrite(lines.data(), 1, lines.size(), stderr); };
    PrintableLines lines;
    std::array<std::uint8_t, 4096> part{};
    while (const std::size_t count = child_.errors().read_some(part)) {
        const std::string_view text(reinterpret_cast<const char*>(part.data()), count);
        last_lines_.add(text);
        print(lines.add(text));
    }
    print(lines.finish());
}

}  // namespace kinescope::remote
