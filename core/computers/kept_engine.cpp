#include "core/computers/kept_engine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include "core/api/job_end.h"
#include "core/api/user_dirs.h"
#include "core/api/video_parts.h"
#include "core/base/local_socket.h"
#include "core/base/log_line.h"
#include "core/base/stopwatch.h"
#include "core/computers/file_calls.h"
#include "core/computers/unused_inputs.h"
#include "core/remote/engine_end.h"
#include "core/remote/handshake.h"
#include "core/remote/last_lines.h"
#include "core/remote/message_channel.h"

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;
using remote::EngineServer;

constexpr std::size_t kMostPrograms = 16;
constexpr std::string_view kEngineLine = "engine: ";
constexpr double kSecondsToStart = 90;
constexpr int kDaysOfInputs = 30;
constexpr double kSecondsOfDay = 24 * 60 * 60;

fs::path socket_in(const fs::path& folder) {
    return folder / "engine.sock";
}
fs::path log_in(const fs::path& folder) {
    return folder / "engine.log";
}

/// What a program that connects later has missed of a run: its beginning, and the newest progress.
struct MissedRun {
    RunStarted run;
    std::optional<PhaseStarted> phase = {};
    std::optional<PhaseProgress> progress = {};  ///< of that phase
    std::optional<FinishProgress> finish = {};   ///< of frames that are decoded or saved now
};

/// Passes events on to all connected programs, beginning with the queue, whose outputs say which ids belong to whom,
/// and with the runs that have started before. Ends the process after the device was lost, also if there is no program:
/// the queue would not start another job.
class Programs final : public RunObserver {
public:
    explicit Programs(std::function<void(const Error& error)> end_process) : end_process_(std::move(end_process)) {}

    /// The queue as the engine found it. Events may have come before.
    void begin_with(std::vector<Job> jobs) {
        const std::lock_guard lock(mutex_);
        if (!queue_) queue_ = QueueChanged{std::move(jobs)};
    }

    void on_event(JobId job, const RunEvent& event) override {
        const std::lock_guard lock(mutex_);
        note(job, event);
        for (RunObserver* program : programs_) program->on_event(job, event);
        const auto* failed = std::get_if<RunFailed>(&event);
        if (failed != nullptr && failed->error.code() == ErrorCode::device_lost && end_process_)
            end_process_(failed->error);
    }
    void add(RunObserver& program) {
        const std::lock_guard lock(mutex_);
        if (queue_) program.on_event(0, *queue_);
        for (const auto& [job, missed] : runs_) {
            program.on_event(job, missed.run);
            if (missed.phase) program.on_event(job, *missed.phase);
            if (missed.progress) program.on_event(job, *missed.progress);
            if (missed.finish) program.on_event(job, *missed.finish);
        }
        programs_.push_back(&program);
    }
    void remove(RunObserver& program) {
        const std::lock_guard lock(mutex_);
        std::erase(programs_, &program);
    }

private:
    void note(JobId job, const RunEvent& event) {
        if (const auto* queue = std::get_if<QueueChanged>(&event)) note_queue(*queue);
        if (const auto* started = std::get_if<RunStarted>(&event)) runs_.insert_or_assign(job, MissedRun{*started});
        if (ends_run(event)) runs_.erase(job);
        const auto run = runs_.find(job);
        if (run == runs_.end()) return;
        MissedRun& missed = run->second;
        if (const auto* phase = std::get_if<PhaseStarted>(&event)) note_phase(missed, *phase);
        if (const auto* progress = std::get_if<PhaseProgress>(&event)) missed.progress = *progress;
        if (const auto* finish = std::get_if<FinishProgress>(&event)) missed.finish = *finish;
    }

    /// A job that left the queue has no last event.
    void note_queue(const QueueChanged& queue) {
        queue_ = queue;
        std::erase_if(runs_, [&queue](const auto& run) {
            return std::ranges::none_of(queue.jobs, [&run](const Job& job) { return job.id == run.first; });
        });
    }

    static void note_phase(MissedRun& missed, const PhaseStarted& phase) {
        RunStarted& started = missed.run;
        if (missed.phase && begins_next_part(started.request, started.part, missed.phase->phase, phase.phase))
            ++started.part;
        missed.phase = phase;
        missed.progress.reset();
        if (phase.phase != Phase::save) missed.finish.reset();
    }

    const std::function<void(const Error& error)> end_process_;
    std::mutex mutex_;  ///< guards the members below
    std::vector<RunObserver*> programs_;
    std::optional<QueueChanged> queue_;
    std::map<JobId, MissedRun> runs_;
};

/// An engine that lives longer than the connection that uses it.
class BorrowedEngine final : public Engine {
public:
    explicit BorrowedEngine(Engine& engine) : engine_(engine) {}
    JobQueue& jobs() override { return engine_.jobs(); }
    ModelCatalog& catalog() override { return engine_.catalog(); }
    Diagnostics& diagnostics() override { return engine_.diagnostics(); }
    VideoFiles& videos() override { return engine_.videos(); }
    GpuInstaller& gpu_installer() override { return engine_.gpu_installer(); }

private:
    Engine& engine_;
};

/// One connected program, and the thread that serves it.
class ConnectedProgram {
public:
    ConnectedProgram(LocalConnection connection, remote::ServeOptions options, Engine& engine, Programs& programs)
        : server_(std::move(connection.in), std::move(connection.out), std::move(options)),
          thread_([this, &engine, &programs] { serve(engine, programs); }) {}
    ~ConnectedProgram() { thread_.join(); }

    bool has_ended() const { return has_ended_; }
    /// Returns true if the engine works for the program: it has not refused it.
    bool is_served() const { return is_served_ && !has_ended_; }
    bool has_other_version() const { return has_other_version_; }

private:
    void serve(Engine& engine, Programs& programs) {
        programs.add(server_.observer());
        try {
            server_.run([&](RunObserver&) {
                is_served_ = true;
                return std::make_unique<BorrowedEngine>(engine);
            });
        } catch (const std::exception& error) {
            const auto* refusal = dynamic_cast<const Error*>(&error);
            has_other_version_ = refusal != nullptr && remote::is_other_version(*refusal);
            log_warning(std::string("a program was refused: ") + error.what());
        }
        programs.remove(server_.observer());
        has_ended_ = true;
    }

    EngineServer server_;
    std::atomic<bool> is_served_ = false;
    std::atomic<bool> has_other_version_ = false;
    std::atomic<bool> has_ended_ = false;
    std::thread thread_;  ///< the last member: uses the others
};

/// Tells a program that it is not served, because all places are taken.
void refuse_for_lack_of_places(LocalConnection& connection, const std::string& version) {
    remote::MessageWriter writer(connection.out);
    writer.send(remote::make_hello(version, remote::ServeOptions{}.heartbeat_seconds));
    writer.send(protocol::Answer{
        .id = 0,
        .error =
            Error(ErrorCode::engine_lost, "this engine serves " + std::to_string(kMostPrograms) + " programs already",
                  "Close one of them.")});
}

bool is_at_work(Engine& engine, const std::vector<JobState>& working) {
    const std::vector<Job> jobs = engine.jobs().list();
    return std::ranges::any_of(jobs, [&](const Job& job) { return std::ranges::count(working, job.state) > 0; });
}

/// Returns the last messages in a log of any size. A log that cannot be read must not hide how the engine ended.
std::vector<std::string> last_lines_in(const fs::path& log) {
    constexpr std::streamoff kMostBytes = 65536;
    std::ifstream stream(log, std::ios::binary | std::ios::ate);
    stream.seekg(std::max<std::streamoff>(0, stream.tellg() - kMostBytes));
    std::string text(kMostBytes, '\0');
    stream.read(text.data(), kMostBytes);
    remote::LastLines last;
    last.add(std::string_view(text).substr(0, static_cast<std::size_t>(stream.gcount())));
    return last.lines();
}

[[noreturn]] void throw_not_started(const fs::path& log, const ChildStatus& status) {
    std::string message = remote::cause_of({.status = status}).text + " before it answered";
    std::string hint = "Run 'kinescope-cli doctor' there to check the installation.";
    for (const std::string& line : last_lines_in(log)) {
        constexpr std::string_view kHint = "hint: ";
        if (line.starts_with(kHint))
            hint = line.substr(kHint.size());
        else
            message += "; " + line;
    }
    throw Error(ErrorCode::engine_lost, message, hint);
}

/// A connected engine, and its process if this one has started it.
struct ReachedEngine {
    LocalConnection connection;
    std::optional<DetachedProgram> process;
};

/// Starts the engine and waits until it listens.
ReachedEngine start_kept_engine(const fs::path& folder, const KeptEngineProgram& program) {
    const fs::path log = log_in(folder);
    DetachedProgram engine(program.program, program.arguments, log);
    const Stopwatch watch;
    while (watch.seconds() < kSecondsToStart) {
        if (auto connection = connect_locally(socket_in(folder))) return {std::move(*connection), std::move(engine)};
        if (const auto status = engine.status()) throw_not_started(log, *status);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    throw Error(ErrorCode::engine_lost, "the engine did not answer within 90 s", "See '" + log.string() + "' there.");
}

ReachedEngine connect_to_kept_engine(const fs::path& folder, const KeptEngineProgram& program) {
    make_private_folder(folder);
    if (auto connection = connect_locally(socket_in(folder))) return {std::move(*connection), {}};
    const FileLock only_one_starts(folder / "start.lock", kSecondsToStart);
    if (auto connection = connect_locally(socket_in(folder))) return {std::move(*connection), {}};
    return start_kept_engine(folder, program);
}

/// Says how an engine ended that has closed its connection. Waits for that: a process that ends needs some time to free
/// its memory. nullopt: it still runs; empty: only the program that started the engine knows how it ended.
std::optional<std::string> end_of(const fs::path& folder, std::optional<DetachedProgram>& process) {
    constexpr int kMostLooks = 20, kLooksAtLiving = 3;
    for (int look = 1; look <= kMostLooks; ++look) {
        const auto status = process ? process->status() : std::nullopt;
        if (status) return remote::cause_of({.status = status}).text;
        const bool is_living = connect_locally(socket_in(folder)).has_value();
        if (!is_living && !process) return "";
        if (is_living && look >= kLooksAtLiving) return std::nullopt;
        std::this_thread::sleep_for(std::chrono::milliseconds(250));
    }
    return std::nullopt;
}

/// Prints the last messages of an engine that has ended, which the connected program receives as those of its own.
void print_end(const fs::path& folder, std::optional<DetachedProgram>& process) {
    const auto end = end_of(folder, process);
    if (!end) return;  // it has only refused this program
    std::vector<std::string> lines = last_lines_in(log_in(folder));
    if (!end->empty()) lines.push_back(*end);
    for (const std::string& line : lines) std::cerr << kEngineLine << line << '\n';
    std::cerr << std::flush;
}

/// Waits for the first byte of the greeting and returns it; empty: the engine has ended. An engine that hangs still
/// accepts connections.
std::vector<std::uint8_t> begin_greeting(LocalConnection& connection, double longest_seconds) {
    std::vector<std::uint8_t> first(1);
    switch (connection.in.read(first, longest_seconds)) {
        case ByteChannel::Result::done:
            return first;
        case ByteChannel::Result::closed:
            return {};
        case ByteChannel::Result::time_over:
            break;
    }
    throw Error(ErrorCode::engine_lost, "the engine runs, but it does not greet",
                "It may wait for a disk or a driver. If it does not recover, end its process 'kinescope-cli' there.");
}

}  // namespace

fs::path kept_engine_folder() {
    return user_dirs().state / ("engine-" + host_name());
}

fs::path jobs_dir_of(const KeptEngine& engine) {
    return engine.folder / "jobs";
}

void keep_engine(const KeptEngine& kept, const remote::ServedEngine& make_engine) {
    constexpr double kSecondsToEnd = 60;  // of an older engine
    ignore_closed_readers();
    make_private_folder(kept.folder);
    const FileLock only_one_runs(kept.folder / "engine.lock", kSecondsToEnd);
    const auto store = std::make_shared<FileStore>(kept.files, kept.storage);
    Programs programs(kept.end_process);
    const std::unique_ptr<Engine> engine = make_engine(programs);
    programs.begin_with(engine->jobs().list());
    forget_unused_inputs(*store, engine->jobs().list(), kDaysOfInputs);
    Stopwatch since_forgotten;
    const std::vector<remote::Call> more_calls = file_calls(store, kept.check_cluster);
    if (kept.send_log) kept.send_log(&programs);
    std::list<ConnectedProgram> connected;
    LocalListener listener(socket_in(kept.folder));
    bool is_outdated = false;
    for (Stopwatch idle; !connected.empty() || idle.seconds() < kept.idle_seconds;) {
        auto connection = listener.accept(0.5);
        connected.remove_if([&is_outdated](const ConnectedProgram& program) {
            const bool has_ended = program.has_ended();
            is_outdated = is_outdated || (has_ended && program.has_other_version());
            return has_ended;
        });
        if (connection && connected.size() >= kMostPrograms)
            refuse_for_lack_of_places(*connection, kept.version);
        else if (connection)
            connected.emplace_back(std::move(*connection),
                                   remote::ServeOptions{.version = kept.version,
                                                        .longest_greeting_seconds = kept.longest_greeting_seconds,
                                                        .end_process = kept.end_process,
                                                        .more_calls = more_calls},
                                   *engine, programs);
        // A cluster's engine can run for weeks, as long as its jobs wait.
        if (since_forgotten.seconds() > kSecondsOfDay) {
            forget_unused_inputs(*store, engine->jobs().list(), kDaysOfInputs);
            since_forgotten = {};
        }
        // A program that is refused tries again and again. It must not keep the engine alive for which it waits to end.
        const bool is_used = std::ranges::any_of(connected, &ConnectedProgram::is_served);
        if (is_used) is_outdated = false;
        if (is_used || is_at_work(*engine, is_outdated ? kept.working_if_outdated : kept.working)) idle = {};
    }
    if (kept.send_log) kept.send_log(nullptr);
}

std::vector<std::string> lines_of_engine(const std::vector<std::string>& lines) {
    std::vector<std::string> found;
    for (const std::string& line : lines)
        if (line.starts_with(kEngineLine)) found.push_back(line.substr(kEngineLine.size()));
    return found;
}

void relay_to_kept_engine(const fs::path& folder, const KeptEngineProgram& program) {
    // The other side regards the end of standard output as the end of this process, so an error comes before that.
    ReachedEngine engine = connect_to_kept_engine(folder, program);
    const auto greeting = begin_greeting(engine.connection, program.longest_greeting_seconds);
    ParentChannels parent = take_parent_channels();
    parent.out.write(greeting);
    if (relay(parent, std::move(engine.connection)) == RelayEnd::engine) print_end(folder, engine.process);
}

}  // namespace kinescope::computers
