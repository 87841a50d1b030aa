#include "core/remote/remote_engine.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/protocol/protocol_error.h"
#include "core/remote/call_table.h"
#include "core/remote/crash_record.h"
#include "core/remote/remote_parts.h"

namespace kinescope::remote {

namespace {

using protocol::EventMessage;
using protocol::Message;

/// An engine without a job that ends within this time, this often in a row, is not started again by itself.
constexpr double kShortLifeSeconds = 5;
constexpr int kMostShortLives = 3;

const char* order_name(JobIntent intent, JobStart job_start) {
    const bool by_order = job_start == JobStart::by_order;
    switch (intent) {
        case JobIntent::run:
            return by_order ? "jobs.start" : "jobs.resume";
        case JobIntent::decode:
            return by_order ? "jobs.start" : "jobs.decode_now";
        case JobIntent::pause:
            return "jobs.pause";
        case JobIntent::cancel:
            return "jobs.cancel";
        case JobIntent::remove:
            return "jobs.remove";
    }
    return "jobs.resume";
}

Json order_arguments(const JobOrder& order, JobStart job_start) {
    Json arguments = Json::array({order.job});
    if (order.intent == JobIntent::pause) arguments.push_back(protocol::to_document(PausePoint::at_once));
    const bool starts = order.intent == JobIntent::run || order.intent == JobIntent::decode;
    const auto steps = order.intent == JobIntent::decode ? RemainingSteps::skipped : RemainingSteps::computed;
    if (starts && job_start == JobStart::by_order) arguments.push_back(protocol::to_document(steps));
    return arguments;
}

/// Returns true for calls that do work of their own. The others change or read the list of jobs.
bool may_end_engine(const std::string& name) {
    const Call* call = find_call(name);
    return call != nullptr && call->duration == CallDuration::long_call;
}

class RemoteEngine final : public Engine, private QueueIntents {
public:
    RemoteEngine(EngineProgram program, RunObserver& observer) : program_(std::move(program)), observer_(observer) {
        ignore_closed_readers();
        connection_ = connect();
        delivery_ = std::thread([this] { deliver(); });
        supervisor_ = std::thread([this] { supervise(); });
    }

    ~RemoteEngine() override {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
            changed_.notify_all();
        }
        supervisor_.join();
        if (connection_) connection_->close();
        events_.close();
        delivery_.join();
    }

    JobQueue& jobs() override { return jobs_; }
    ModelCatalog& catalog() override { return catalog_; }
    Diagnostics& diagnostics() override { return diagnostics_; }
    VideoFiles& videos() override { return videos_; }
    GpuInstaller& gpu_installer() override { return gpu_installer_; }

private:
    enum class State {
        runs,   ///< connection_ is set; it may have ended just now
        ended,  ///< the supervisor starts a new process
        down    ///< no process could be started; the next call tries again
    };

    std::optional<JobIntent> note(JobId job, JobIntent intent) override {
        const std::lock_guard lock(ledger_mutex_);
        return ledger_.note(job, intent);
    }
    void take_back(JobId job, JobIntent refused, std::optional<JobIntent> earlier) override {
        const std::lock_guard lock(ledger_mutex_);
        ledger_.take_back(job, refused, earlier);
    }
    void hold() override {
        const std::lock_guard lock(ledger_mutex_);
        held_ = true;
    }
    void release() override {
        const std::lock_guard lock(ledger_mutex_);
        held_ = false;
        ledger_.release();
    }

    std::shared_ptr<EngineConnection> connect() {
        lifetime_ = {};
        return std::make_shared<EngineConnection>(
            program_, EngineConnection::Receiver{.events = events_,
                                                 .on_event = [this](EventMessage event) { take(std::move(event)); },
                                                 .on_end = [this] { note_end(); }});
    }

    void take(EventMessage event) {
        {
            const std::lock_guard lock(ledger_mutex_);
            if (ledger_.take(event.job, event.event) == Delivery::never) return;
        }
        events_.push(std::move(event));
    }

    void note_end() {
        const std::lock_guard lock(mutex_);
        state_ = State::ended;
        changed_.notify_all();
    }

    void deliver() {
        constexpr double kLong = 3600;
        for (;;) {
            const std::optional<Message> message = events_.take(kLong);
            if (!message && events_.is_over()) return;
            const auto* event = message ? std::get_if<EventMessage>(&*message) : nullptr;
            if (event != nullptr) observer_.on_event(event->job, event->event);
        }
    }

    Reply call(const std::string& name, const Json& arguments, AfterLoss after_loss) {
        for (AfterLoss next = after_loss;; next = AfterLoss::fail) {
            crashes_.require_harmless(name, arguments);
            try {
                return ask(name, arguments);
            } catch (const ConnectionLost&) {
                if (after_loss == AfterLoss::ask_again && may_end_engine(name)) crashes_.note_end(name, arguments);
                if (next == AfterLoss::fail) crashes_.require_harmless(name, arguments);
                if (next == AfterLoss::fail) throw_lost(name);
            }
        }
    }

    Reply ask(const std::string& name, const Json& arguments) {
        const auto engine = running_engine();
        try {
            Reply reply = engine->call(name, arguments, delivery_.get_id());
            crashes_.note_answer(name, arguments);
            return reply;
        } catch (const Error&) {
            crashes_.note_answer(name, arguments);
            throw;
        }
    }

    [[noreturn]] static void throw_lost(const std::string& name) {
        throw Error(ErrorCode::engine_lost, "the engine ended before it answered '" + name + "'",
                    "Check the queue, and try again.", {{"call", name}});
    }

    /// Waits while a new process is started.
    std::shared_ptr<EngineConnection> running_engine() {
        std::unique_lock lock(mutex_);
        if (state_ == State::down) {
            state_ = State::ended;
            changed_.notify_all();
        }
        const auto is_running = [this] { return state_ == State::runs && !connection_->end(); };
        changed_.wait(lock, [&] { return is_running() || state_ == State::down || closing_; });
        if (is_running()) return connection_;
        throw Error(start_error_.value_or(Error(ErrorCode::engine_lost, "the engine is being closed")));
    }

    void supervise() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return closing_ || state_ == State::ended; });
            if (closing_) return;
            lock.unlock();
            const bool runs = try_to_replace();
            lock.lock();
            // A connection that ended meanwhile has called note_end before.
            const bool has_ended = runs && connection_->end();
            state_ = has_ended ? State::ended : runs ? State::runs : State::down;
            changed_.notify_all();
        }
    }

    /// Memory may be short, too, where replace() does not expect it.
    bool try_to_replace() {
        try {
            return replace();
        } catch (const std::exception& error) {
            const std::lock_guard lock(mutex_);
            start_error_ = Error(ErrorCode::engine_lost, error.what());
            return false;
        }
    }

    /// Starts a new process, which takes over the queue. Returns false if none could be started.
    bool replace() {
        const auto old = current();
        if (old && !old->end()) return true;  // note_end came late, for the one before it
        const std::optional<EngineEnd> end = old ? old->end() : std::nullopt;
        const bool lived_shortly = lifetime_.seconds() < kShortLifeSeconds;
        if (end) last_cause_ = cause_of(*end);
        if (end && !lived_shortly) short_lives_ = 0;
        // Without an end, a call asks for an engine again, which starts one process.
        const bool gives_up = end && short_lives_ >= kMostShortLives;
        EngineEnded ended{.cause = last_cause_};
        if (end) ended.last_lines = end->last_lines;
        if (const std::string place = last_place(); !place.empty()) ended.last_lines.push_back(place);
        Recovery recovery;
        const auto fresh = gives_up ? give_up(ended) : start(recovery, suspect_of(end), ended);
        if (!fresh) recovery = stop();
        if (end) short_lives_ = lived_shortly && recovery.job == 0 ? short_lives_ + 1 : 0;
        ended.job = recovery.after;
        if (end) events_.push(EventMessage{recovery.job, ended});
        for (const auto& [job, event] : recovery.last_events) events_.push(EventMessage{job, event});
        if (fresh)
            carry_out(recovery.orders, *fresh);
        else if (end)
            events_.push(EventMessage{0, QueueChanged{known_jobs()}});
        const std::lock_guard lock(mutex_);
        connection_ = fresh;  // `old` is deleted later: its thread may be waiting for the mutex
        return fresh != nullptr;
    }

    static Suspect suspect_of(const std::optional<EngineEnd>& end) {
        if (!end) return Suspect::nobody;
        const bool lost_device = end->reason && end->reason->code() == ErrorCode::device_lost;
        return !lost_device && std::ranges::any_of(end->unanswered, may_end_engine) ? Suspect::question : Suspect::job;
    }

    /// No process could be started.
    Recovery stop() {
        const std::lock_guard lock(ledger_mutex_);
        return ledger_.stop(lost_error(last_cause_));
    }

    std::vector<Job> known_jobs() {
        const std::lock_guard lock(ledger_mutex_);
        return ledger_.jobs();
    }

    /// Returns nullptr, as start() does for a process that cannot be started.
    std::shared_ptr<EngineConnection> give_up(EngineEnded& ended) {
        fail_to_start(Error(ErrorCode::engine_lost, "the engine ended several times in a row: " + last_cause_.text,
                            "Run 'kinescope-cli doctor' to find the reason."),
                      ended);
        return nullptr;
    }

    /// Starts a process that has taken over the queue. Returns nullptr if it cannot be started or does not answer as
    /// an engine does; the process is ended then.
    std::shared_ptr<EngineConnection> start(Recovery& recovery, Suspect suspect, EngineEnded& ended) {
        try {
            auto fresh = connect();
            recovery = take_over(*fresh, lost_error(last_cause_), suspect);
            return fresh;
        } catch (const Error& error) {
            fail_to_start(error, ended);
        } catch (const ConnectionLost&) {
            fail_to_start(Error(ErrorCode::engine_lost, "the new engine ended, too"), ended);
        } catch (const std::exception& error) {  // an invalid answer, or one that memory does not suffice for
            fail_to_start(Error(ErrorCode::engine_lost, error.what()), ended);
        }
        return nullptr;
    }

    std::shared_ptr<EngineConnection> current() {
        const std::lock_guard lock(mutex_);
        return connection_;
    }

    void fail_to_start(const Error& error, EngineEnded& ended) {
        ended.restart_failure = {"", {}, error.message()};
        const std::lock_guard lock(mutex_);
        start_error_ = error;
    }

    /// Reads the queue and decides what follows.
    Recovery take_over(EngineConnection& fresh, const Error& cause, Suspect suspect) {
        const std::thread::id nobody_waits = std::this_thread::get_id();
        if (is_held()) fresh.call("jobs.hold", Json::array(), nobody_waits);
        const Json jobs = fresh.call("jobs.list", Json::array(), nobody_waits).value;
        const std::lock_guard lock(ledger_mutex_);
        return ledger_.recover(protocol::from_document<std::vector<Job>>(jobs), cause, suspect);
    }

    std::string last_place() {
        const std::lock_guard lock(ledger_mutex_);
        return ledger_.last_place();
    }

    bool is_held() {
        const std::lock_guard lock(ledger_mutex_);
        return held_;
    }

    /// Starts the jobs.
    void carry_out(const std::vector<JobOrder>& orders, EngineConnection& fresh) {
        try {
            for (const JobOrder& order : orders) give(fresh, order);
            const Json jobs = fresh.call("jobs.list", Json::array(), std::this_thread::get_id()).value;
            events_.push(EventMessage{0, QueueChanged{protocol::from_document<std::vector<Job>>(jobs)}});
        } catch (const ConnectionLost&) {
            return;  // its end is handled next
        } catch (const std::exception& error) {
            events_.push(EventMessage{0, LogLine{LogLineLevel::warning, error.what()}});
        }
    }

    void give(EngineConnection& fresh, const JobOrder& order) {
        try {
            fresh.call(order_name(order.intent, program_.job_start), order_arguments(order, program_.job_start),
                       std::this_thread::get_id());
        } catch (const Error& error) {
            events_.push(EventMessage{order.job, LogLine{LogLineLevel::warning, error.message()}});
        }
    }

    const EngineProgram program_;
    RunObserver& observer_;
    MessageQueue events_;

    std::mutex ledger_mutex_;  ///< guards the two members below
    JobLedger ledger_;
    bool held_ = false;

    std::mutex mutex_;  ///< guards the members down to start_error_
    std::condition_variable changed_;
    std::shared_ptr<EngineConnection> connection_;
    State state_ = State::runs;
    bool closing_ = false;
    std::optional<Error> start_error_;

    // Used by the supervisor only.
    Stopwatch lifetime_;             ///< of the newest process
    int short_lives_ = 0;            ///< processes in a row that ended early without a job
    LocalizableMessage last_cause_;  ///< of the newest end

    CrashRecord crashes_;
    const Caller caller_ = [this](const std::string& name, const Json& arguments, AfterLoss after_loss) {
        return call(name, arguments, after_loss);
    };
    RemoteJobQueue jobs_{caller_, *this, program_.job_start};
    RemoteCatalog catalog_{caller_};
    RemoteDiagnostics diagnostics_{caller_};
    RemoteVideoFiles videos_{caller_};
    RemoteGpuInstaller gpu_installer_{caller_};
    std::thread delivery_;
    std::thread supervisor_;
};

}  // namespace

std::unique_ptr<Engine> make_remote_engine(EngineProgram program, RunObserver& observer) {
    return std::make_unique<RemoteEngine>(std::move(program), observer);
}

}  // namespace kinescope::remote
