#include "core/computers/computer_link.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "core/computers/command_words.h"
#include "core/computers/connection_error.h"

namespace kinescope::computers {

using remote::AfterLoss;
using remote::ConnectionLost;
using remote::EngineConnection;
using remote::Reply;

namespace {

/// ssh needs some seconds after a network has changed; the engine itself sends a heartbeat each second.
constexpr double kLongestSilenceSeconds = 30;

/// A window has no terminal for questions, and an unknown computer must not be waited for forever.
constexpr std::array kSshOptions = {"-T", "-oBatchMode=yes", "-oConnectTimeout=15", "-oServerAliveInterval=10"};

/// The time that the process of a test has to end by itself.
constexpr double kSecondsToEndTest = 1;

/// Questions that come sooner after a failed attempt get its error.
constexpr double kSecondsBetweenAttempts = 2;

[[noreturn]] void throw_closed() {
    throw Unreachable(Error(ErrorCode::engine_lost, "the connection is closed"));
}

}  // namespace

remote::EngineProgram program_of(const Computer& computer, const std::string& version) {
    std::vector<std::string> words = split_command(computer.command);
    const char* path = std::getenv("PATH");
    const auto program = program_of(words.front(), path == nullptr ? "/usr/bin:/bin" : path);
    words.erase(words.begin());
    if (program.filename() == "ssh") words.insert(words.begin(), kSshOptions.begin(), kSshOptions.end());
    return {.program = program,
            .arguments = std::move(words),
            .version = version,
            .longest_silence_seconds = kLongestSilenceSeconds};
}

ComputerLink::ComputerLink(Computer computer, std::string version, Receiver receiver,
                           std::optional<ConnectionTest> test)
    : computer_(std::move(computer)),
      version_(std::move(version)),
      receiver_(std::move(receiver)),
      test_(std::move(test)),
      delivery_([this] { deliver(); }) {
    ignore_closed_readers();
}

ComputerLink::~ComputerLink() {
    close();
    events_.close();
    delivery_.join();
}

void ComputerLink::close() {
    std::shared_ptr<EngineConnection> last;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        last = std::exchange(connection_, nullptr);
    }
    if (last)
        last->close();
    else
        closing_.request_stop();
}

Reply ComputerLink::call(const std::string& name, const protocol::Json& arguments, AfterLoss after_loss) {
    for (AfterLoss next = after_loss;; next = AfterLoss::fail) {
        const Opened opened = connected();
        try {
            return opened.connection->call(name, arguments, delivery_.get_id());
        } catch (const ConnectionLost&) {
            if (next == AfterLoss::fail) throw_lost();
        } catch (const Error& error) {
            throw error_there(computer_.name, error);
        }
    }
}

int ComputerLink::open() {
    return connected().generation;
}

Reply ComputerLink::call_over(int generation, const std::string& name, const protocol::Json& arguments) {
    std::shared_ptr<EngineConnection> connection;
    {
        const std::lock_guard lock(mutex_);
        if (closed_) throw_closed();
        if (generation_ == generation) connection = connection_;
    }
    if (!connection) throw_lost();
    try {
        return connection->call(name, arguments, delivery_.get_id());
    } catch (const ConnectionLost&) {
        throw_lost();
    } catch (const Error& error) {
        throw error_there(computer_.name, error);
    }
}

void ComputerLink::throw_lost() const {
    throw Unreachable(Error(ErrorCode::engine_lost, "the connection to '" + computer_.name + "' was lost",
                            "Jobs go on there.", {{"computer", computer_.name}, {"cause", "lost"}}));
}

ComputerLink::Opened ComputerLink::connected() {
    const std::lock_guard one_at_a_time(connecting_);
    std::shared_ptr<EngineConnection> old;
    {
        const std::lock_guard lock(mutex_);
        if (closed_) throw_closed();
        if (connection_ && !connection_->end()) return {connection_, generation_};
        if (state_ == ComputerState::unreachable && since_failure_.seconds() < kSecondsBetweenAttempts)
            throw Unreachable(*error_);
        old = std::exchange(connection_, nullptr);
        if (old) last_lines_ = old->end()->last_lines;
    }
    old.reset();  // joins its threads
    set_state(ComputerState::connecting, std::nullopt);
    try {
        return note_connection(connect());
    } catch (const Unreachable&) {
        throw;
    } catch (const Error& error) {
        const Error explained = connection_error(computer_.name, error);
        set_state(ComputerState::unreachable, explained);
        throw Unreachable(explained);
    }
}

/// Whoever sees that there is a connection must also see that it is a new one.
ComputerLink::Opened ComputerLink::note_connection(std::shared_ptr<EngineConnection> fresh) {
    Opened opened{.connection = std::move(fresh)};
    {
        const std::lock_guard lock(mutex_);
        if (closed_) throw_closed();
        connection_ = opened.connection;
        opened.generation = ++generation_;
        state_ = ComputerState::connected;
        error_.reset();
    }
    receiver_.on_change();
    return opened;
}

std::shared_ptr<EngineConnection> ComputerLink::connect() {
    remote::EngineProgram program = program_of(computer_, version_);
    program.cancel = closing_.get_token();
    if (test_) {
        program.cancel = test_->cancel;
        program.longest_close_seconds = kSecondsToEndTest;
        program.late_process = remote::LateProcess::is_killed;
    }
    return std::make_shared<EngineConnection>(
        std::move(program),
        EngineConnection::Receiver{.events = events_,
                                   .on_event = [this](protocol::EventMessage event) { events_.push(std::move(event)); },
                                   .on_end = [this] { note_end(); }});
}

void ComputerLink::note_end() {
    set_state(ComputerState::idle, std::nullopt);
}

void ComputerLink::set_state(ComputerState state, std::optional<Error> error) {
    {
        const std::lock_guard lock(mutex_);
        state_ = state;
        if (state == ComputerState::unreachable) since_failure_ = {};
        error_ = std::move(error);
    }
    receiver_.on_change();
}

ComputerState ComputerLink::state() const {
    const std::lock_guard lock(mutex_);
    const bool has_just_ended = state_ == ComputerState::connected && connection_ && connection_->end();
    return has_just_ended ? ComputerState::idle : state_;
}

std::optional<Error> ComputerLink::last_error() const {
    const std::lock_guard lock(mutex_);
    return error_;
}

std::vector<std::string> ComputerLink::last_lines() const {
    const std::lock_guard lock(mutex_);
    return last_lines_;
}

int ComputerLink::generation() const {
    const std::lock_guard lock(mutex_);
    return generation_;
}

void ComputerLink::deliver() {
    constexpr double kLong = 3600;
    for (;;) {
        const std::optional<protocol::Message> message = events_.take(kLong);
        if (!message && events_.is_over()) return;
        const auto* event = message ? std::get_if<protocol::EventMessage>(&*message) : nullptr;
        if (event != nullptr) receiver_.on_event(event->job, event->event);
    }
}

}  // namespace kinescope::computers
