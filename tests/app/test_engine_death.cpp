#include <sys/resource.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fstream>

#include "core/api/engine.h"
#include "core/api/version.h"
#include "core/media/frame_sink.h"
#include "core/remote/remote_engine.h"
#include "tests/core/jobs/event_recorder.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = KINESCOPE_BIN_DIR "/kinescope-cli";
constexpr const char* kResources = KINESCOPE_SOURCE_DIR "/resources";
constexpr int kSteps = 8;

/// The newest process that this process has started; 0: none.
pid_t newest_child() {
    pid_t newest = 0;
    for (const auto& thread : fs::directory_iterator("/proc/self/task")) {
        std::ifstream children(thread.path() / "children");
        for (pid_t child = 0; children >> child;) newest = std::max(newest, child);
    }
    return newest;
}

class MortalEngine {
public:
    explicit MortalEngine(double longest_silence_seconds = 20) {
        engine_ = remote::make_remote_engine(
            {.program = kProgram,
             .arguments = {"--resources", kResources, "serve", "--jobs", folder_.filePath("jobs").toStdString()},
             .version = kVersion,
             .longest_silence_seconds = longest_silence_seconds},
            recorder);
    }

    Engine* operator->() { return engine_.get(); }
    VideoRequest request(const char* name) const {
        VideoRequest request;
        request.prompt = "a red ball moving left on a blue background";
        request.num_frames = 9;
        request.num_inference_steps = kSteps;
        request.seed = 3;
        request.device = "cpu";
        request.threads = 1;
        request.output.file = folder_.filePath(name).toStdString();
        return request;
    }
    /// Sends a signal to the engine after each of these steps (0-based), once.
    void kill_after_steps(std::vector<int> steps, int signal) {
        recorder.on_step = [steps, signal](JobId, const StepCompleted& done) mutable {
            const auto found = std::find(steps.begin(), steps.end(), done.step);
            if (found == steps.end()) return;
            steps.erase(found);
            ::kill(newest_child(), signal);
        };
    }
    std::vector<std::uint8_t> pixels(const fs::path& video) {
        std::vector<std::uint8_t> pixels;
        for (const FramePtr& frame : engine_->videos().read_frames(video, {}))
            pixels.insert(pixels.end(), frame->pixels.begin(), frame->pixels.end());
        return pixels;
    }

    EventRecorder recorder;

private:
    QTemporaryDir folder_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace

/// Engines that are killed at a chosen moment. engine_death/engine_death.py chooses random ones.
class TestEngineDeath : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
        ::setrlimit(RLIMIT_CORE, &no_core);
        MortalEngine engine;
        const VideoRequest request = engine.request("whole.mp4");
        engine.recorder.wait(engine->jobs().submit(request));
        unbroken_ = engine.pixels(request.output.file);
        QVERIFY(!unbroken_.empty());
    }

    void a_job_goes_on_in_a_new_engine_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("cause");
        QTest::newRow("SIGSEGV") << SIGSEGV << "SIGSEGV";
        QTest::newRow("SIGFPE") << SIGFPE << "SIGFPE";
        QTest::newRow("SIGKILL") << SIGKILL << "out of memory";
        QTest::newRow("SIGABRT") << SIGABRT << "SIGABRT";
        QTest::newRow("hang") << SIGSTOP << "did not answer for 2 s";
    }

    void a_job_goes_on_in_a_new_engine() {
        QFETCH(int, signal);
        QFETCH(QString, cause);
        MortalEngine engine(2);
        engine.kill_after_steps({3}, signal);
        const VideoRequest request = engine.request("a.mp4");
        const JobId job = engine->jobs().submit(request);
        const auto events = engine.recorder.wait(job);
        const auto ends = of_type<EngineEnded>(events);
        QCOMPARE(ends.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(ends[0].cause.text).contains(cause), ends[0].cause.text.c_str());
        QCOMPARE(ends[0].job, AfterEngineEnd::goes_on);
        QVERIFY(ends[0].restart_failure.empty());
        QVERIFY(!ends[0].last_lines.empty());
        QCOMPARE(of_type<RunStarted>(events).size(), std::size_t{2});
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        // Only the step that was being computed is repeated.
        QVERIFY(of_type<StepCompleted>(events).size() <= std::size_t{kSteps + 1});
        QVERIFY(engine.pixels(request.output.file) == unbroken_);
    }

    void a_job_that_ends_two_engines_is_set_aside() {
        MortalEngine engine;
        engine.kill_after_steps({1, 4}, SIGKILL);
        const VideoRequest request = engine.request("a.mp4");
        const JobId bad = engine->jobs().submit(request);
        const JobId good = engine->jobs().submit(engine.request("b.mp4"));
        const auto events = engine.recorder.wait(bad);
        const auto ends = of_type<EngineEnded>(events);
        QCOMPARE(ends.size(), std::size_t{2});
        QCOMPARE(ends[1].job, AfterEngineEnd::set_aside);
        QCOMPARE(of_type<RunFailed>(events).at(0).error.code(), ErrorCode::engine_lost);
        QCOMPARE(of_type<RunFinished>(engine.recorder.wait(good)).size(), std::size_t{1});
        QCOMPARE(engine->jobs().find(bad)->state, JobState::interrupted);
        QVERIFY(engine->jobs().find(bad)->step >= 4);
        engine->jobs().resume(bad);
        QCOMPARE(of_type<RunFinished>(engine.recorder.wait(bad, 2)).size(), std::size_t{1});
        QVERIFY(engine.pixels(request.output.file) == unbroken_);
    }

    void an_idle_engine_is_replaced() {
        MortalEngine engine;
        engine->jobs().hold();
        const JobId job = engine->jobs().submit(engine.request("a.mp4"));
        const pid_t old = newest_child();
        ::kill(old, SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(newest_child() != old && newest_child() != 0, 20'000);
        QCOMPARE(engine->jobs().find(job)->state, JobState::waiting);  // the queue is still held
        engine->jobs().release();
        QCOMPARE(of_type<RunFinished>(engine.recorder.wait(job)).size(), std::size_t{1});
        const auto ends = of_type<EngineEnded>(engine.recorder.wait(0, 0));
        QCOMPARE(ends.size(), std::size_t{1});
        QCOMPARE(ends[0].job, AfterEngineEnd::no_job);
    }

    void questions_are_asked_again_and_changes_fail() {
        MortalEngine engine;
        for (int i = 0; i < 2; ++i) {
            ::kill(newest_child(), SIGKILL);
            QCOMPARE(engine->catalog().card("builtin").id, std::string("builtin"));
        }
        ::kill(newest_child(), SIGSTOP);
        std::thread killer([child = newest_child()] {
            QTest::qSleep(300);
            ::kill(child, SIGKILL);
        });
        try {
            engine->jobs().submit(engine.request("a.mp4"));
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::engine_lost);
        }
        killer.join();
    }

private:
    std::vector<std::uint8_t> unbroken_;
};

QTEST_GUILESS_MAIN(TestEngineDeath)
#include "test_engine_death.moc"
