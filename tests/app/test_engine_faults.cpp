#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <future>

#include "core/api/version.h"
#include "core/base/piped_child.h"
#include "core/remote/engine_server.h"
#include "core/remote/remote_engine.h"
#include "tests/app/mortal_engine.h"
#include "tests/app/stub_engine.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

// Engines whose processes behave badly. This program is the engine, too: with the argument "serve" it serves a stub
// engine, with a fault that the next argument names.
namespace {

namespace fs = std::filesystem;

constexpr int kLatentFrames = 30;

FramePtr gray_frame(Size size) {
    auto frame = std::make_shared<Frame>();
    frame->width = size.width;
    frame->height = size.height;
    frame->pixels.assign(std::size_t{3} * static_cast<std::size_t>(size.width * size.height), 77);
    return frame;
}

PreviewReady preview(PreviewKind kind, std::size_t count, Size size) {
    return {.kind = kind,
            .num_frames = static_cast<int>(count),
            .final_size = size,
            .frames = std::vector<FramePtr>(count, gray_frame(size))};
}

Job running_job(JobId id) {
    Job job;
    job.id = id;
    job.state = JobState::running;
    return job;
}

/// Prompts: "large" has previews that exceed a message, every other one runs forever.
std::vector<RunEvent> events_of(const VideoRequest& request) {
    if (request.prompt != "large") return {QueueChanged{{running_job(1)}}, RunStarted{}};
    return {RunStarted{}, preview(PreviewKind::latent, kLatentFrames, {1280, 720}),
            preview(PreviewKind::decoded, 2, {6000, 4000}), RunFinished{}};
}

class FaultyEngine final : public StubEngine {
public:
    FaultyEngine(StubScript& script, RunObserver& observer, std::string fault)
        : StubEngine(script, observer), fault_(std::move(fault)) {}
    /// An immortal engine waits for a driver that does not answer, while its process still sends heartbeats.
    ~FaultyEngine() override {
        while (fault_ == "immortal") ::pause();
    }
    using StubEngine::card;
    ModelCard card(const std::string& model) override {
        if (model == "crash") ::raise(SIGKILL);
        return StubEngine::card(model);
    }

private:
    const std::string fault_;
};

void write_pid(const char* file, pid_t pid) {
    std::ofstream(std::string(file) + ".new") << pid;
    fs::rename(std::string(file) + ".new", file);
}

/// A process that inherits the standard streams and outlives this one.
void leave_heir(const char* pid_file) {
    const pid_t heir = ::fork();
    if (heir != 0) return write_pid(pid_file, heir);
    for (;;) ::pause();
}

int serve(const std::string& fault, const char* pid_file) {
    if (fault == "heir") leave_heir(pid_file);
    if (fault == "immortal") write_pid(pid_file, ::getpid());
    StubScript script{.card = small_card(), .run = events_of};
    ParentChannels parent = take_parent_channels();
    remote::EngineServer server(std::move(parent.in), std::move(parent.out), {.version = kVersion});
    server.run([&](RunObserver& observer) { return std::make_unique<FaultyEngine>(script, observer, fault); });
    return 0;
}

/// The engine of this program, in a process of its own.
class EngineWithFault {
public:
    explicit EngineWithFault(const char* fault = "none") {
        fs::create_symlink(QCoreApplication::applicationFilePath().toStdString(), program());
        engine = remote::make_remote_engine({.program = program(),
                                             .arguments = {"serve", fault, pid_file().toStdString()},
                                             .version = kVersion,
                                             .longest_silence_seconds = 2,
                                             .longest_close_seconds = 1},
                                            recorder);
    }
    ~EngineWithFault() {
        if (const pid_t left = left_process(); left > 0) ::kill(left, SIGKILL);
    }

    fs::path program() const { return folder_.filePath("engine").toStdString(); }
    /// The process that does not end; 0: none.
    pid_t left_process() const {
        QFile file(pid_file());
        return file.open(QIODevice::ReadOnly) ? file.readAll().toInt() : 0;
    }
    VideoRequest request(const char* prompt) const {
        VideoRequest request;
        request.prompt = prompt;
        return request;
    }
    std::size_t num_ends() { return of_type<EngineEnded>(recorder.wait(0, 0)).size(); }

    EventRecorder recorder;
    std::unique_ptr<Engine> engine;

private:
    QString pid_file() const { return folder_.filePath("pid"); }

    QTemporaryDir folder_;
};

/// Returns false if the call takes longer than a minute.
template <class Call>
bool returns(Call&& call) {
    const auto done = std::make_shared<std::promise<void>>();
    std::thread([call, done] {
        call();
        done->set_value();
    }).detach();
    return done->get_future().wait_for(std::chrono::minutes(1)) == std::future_status::ready;
}

}  // namespace

class TestEngineFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_question_that_ends_two_engines_is_answered_with_an_error() {
        EngineWithFault faulty;
        for (int i = 0; i < 2; ++i) {
            const auto refused = error_of([&] { faulty.engine->catalog().card("crash"); });
            QCOMPARE(refused.value().code(), ErrorCode::engine_lost);
            QVERIFY2(refused->message().find("ended twice") != std::string::npos, refused->message().c_str());
            QCOMPARE(faulty.engine->catalog().card("builtin").name, std::string("Small"));
            QCOMPARE(faulty.num_ends(), std::size_t{2});
        }
    }

    void a_run_ends_if_no_engine_can_be_started() {
        EngineWithFault faulty;
        const JobId job = faulty.engine->jobs().submit(faulty.request("endless"));
        fs::remove(faulty.program());
        ::kill(newest_child(), SIGKILL);
        const auto events = faulty.recorder.wait(job);
        QCOMPARE(of_type<RunFailed>(events).at(0).error.code(), ErrorCode::engine_lost);
        const auto ends = of_type<EngineEnded>(events);
        QCOMPARE(ends.size(), std::size_t{1});
        QVERIFY(!ends[0].restart_failure.empty());
        QTRY_COMPARE(of_type<QueueChanged>(faulty.recorder.wait(0, 0)).size(), std::size_t{1});
        const auto queue = of_type<QueueChanged>(faulty.recorder.wait(0, 0)).back().jobs;
        QCOMPARE(queue.size(), std::size_t{1});
        QCOMPARE(queue[0].state, JobState::interrupted);
        QVERIFY(error_of([&] { faulty.engine->jobs().list(); }));
        fs::create_symlink(QCoreApplication::applicationFilePath().toStdString(), faulty.program());
        QCOMPARE(faulty.engine->catalog().card("builtin").name, std::string("Small"));
    }

    void large_previews_are_scaled_down() {
        EngineWithFault faulty;
        const auto events = faulty.recorder.wait(faulty.engine->jobs().submit(faulty.request("large")));
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        const auto previews = of_type<PreviewReady>(events);
        QCOMPARE(previews.size(), std::size_t{3});  // latent frames together, decoded frames one by one
        QCOMPARE(previews[0].frames.size(), std::size_t{kLatentFrames});
        QCOMPARE(previews[0].frames[0]->width, 640);
        QCOMPARE(previews[0].frames[0]->pixels.back(), std::uint8_t{77});
        QCOMPARE(previews[0].final_size.width, 1280);
        QCOMPARE(previews[1].frames.at(0)->height, 2000);
        QCOMPARE(previews[2].first_frame, 1);
    }

    /// As ssh does for the connection that it shares.
    void a_process_that_holds_the_streams_of_a_dead_engine_is_not_waited_for() {
        const auto faulty = std::make_shared<EngineWithFault>("heir");
        const pid_t heir = faulty->left_process();
        QVERIFY(heir > 0);
        ::kill(newest_child(), SIGKILL);
        const bool is_replaced = returns([faulty] { faulty->engine->catalog().card("builtin"); });
        ::kill(heir, SIGKILL);
        QVERIFY(is_replaced);
        QVERIFY(faulty->num_ends() >= 1);
    }

    void an_engine_that_does_not_end_is_left_alone() {
        const auto faulty = std::make_shared<EngineWithFault>("immortal");
        const pid_t engine = faulty->left_process();
        const bool is_closed = returns([faulty] { faulty->engine.reset(); });
        QCOMPARE(::kill(engine, 0), 0);
        ::kill(engine, SIGKILL);
        ::waitpid(engine, nullptr, 0);
        QVERIFY(is_closed);
    }

    /// A traced process stays after its end, until the tracer has noticed.
    void a_process_that_cannot_be_killed_is_not_waited_for() {
        PipedChild child("/bin/sleep", {"1000"});
        const auto pid = static_cast<pid_t>(child.pid());
        std::array<int, 2> ready{};
        QCOMPARE(::pipe(ready.data()), 0);
        const pid_t tracer = ::fork();
        if (tracer == 0) {
            const char traces = ::ptrace(PTRACE_SEIZE, pid, nullptr, nullptr) == 0 ? 1 : 0;
            [[maybe_unused]] const auto written = ::write(ready[1], &traces, 1);
            for (;;) ::pause();
        }
        char traces = 0;
        QCOMPARE(::read(ready[0], &traces, 1), ssize_t{1});
        const auto status = traces == 1 ? child.wait(0) : std::nullopt;
        ::kill(tracer, SIGKILL);
        ::waitpid(tracer, nullptr, 0);
        if (traces == 1) ::waitpid(pid, nullptr, 0);
        if (traces == 0) QSKIP("Processes must not be traced here.");
        QVERIFY(!status);
    }
};

int main(int argc, char** argv) {
    if (argc > 3 && std::string(argv[1]) == "serve") return serve(argv[2], argv[3]);
    QCoreApplication application(argc, argv);
    TestEngineFaults test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_engine_faults.moc"
