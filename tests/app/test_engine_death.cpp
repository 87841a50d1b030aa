#include "tests/app/mortal_engine.h"

#include <sys/resource.h>

#include <QTest>
#include <thread>

using namespace kinescope;
using namespace kinescope::testing;

/// Engines that are killed at a chosen moment. engine_death_campaign chooses random ones.
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
        QTest::newRow("hang") << SIGSTOP << "did not answer for 3 s";
    }

    void a_job_goes_on_in_a_new_engine() {
        QFETCH(int, signal);
        QFETCH(QString, cause);
        MortalEngine engine(signal == SIGSTOP ? 3 : 20);
        engine.kill_after_steps({3}, signal);
        const VideoRequest request = engine.request("a.mp4");
        const JobId job = engine->jobs().submit(request);
        const auto events = engine.recorder.wait(job);
        const auto ends = of_type<EngineEnded>(events);
        QCOMPARE(ends.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(ends[0].cause.text).contains(cause), ends[0].cause.text.c_str());
        QCOMPARE(ends[0].job, AfterEngineEnd::goes_on);
        QVERIFY(ends[0].restart_failure.empty());
        QVERIFY2(ends[0].last_lines.back().starts_with("job 1 finished step "), ends[0].last_lines.back().c_str());
        QCOMPARE(of_type<RunStarted>(events).size(), std::size_t{2});
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        // A step is saved while the next one is computed, so at most two are repeated.
        QVERIFY(of_type<StepCompleted>(events).size() <= std::size_t{kSteps + 2});
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
        QVERIFY(engine->jobs().find(bad)->step >= 3);
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

    void questions_and_lost_submissions_are_made_again_and_other_changes_fail() {
        MortalEngine engine;
        for (int i = 0; i < 2; ++i) {
            ::kill(newest_child(), SIGKILL);
            QCOMPARE(engine->catalog().card("builtin").id, std::string("builtin"));
        }
        const auto stop_and_kill = [] {
            ::kill(newest_child(), SIGSTOP);
            return std::jthread([child = newest_child()] {
                QTest::qSleep(300);
                ::kill(child, SIGKILL);
            });
        };
        auto killer = stop_and_kill();
        const JobId job = engine->jobs().submit(engine.request("a.mp4"));
        QCOMPARE(of_type<RunFinished>(engine.recorder.wait(job)).size(), std::size_t{1});
        QCOMPARE(engine->jobs().list().size(), std::size_t{1});
        killer = stop_and_kill();
        try {
            engine->jobs().retry(job);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::engine_lost);
        }
    }

private:
    std::vector<std::uint8_t> unbroken_;
};

QTEST_GUILESS_MAIN(TestEngineDeath)
#include "test_engine_death.moc"
