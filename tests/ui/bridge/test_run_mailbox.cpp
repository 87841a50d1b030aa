#include <QSemaphore>
#include <QtTest>
#include <atomic>
#include <cmath>
#include <thread>

#include "tests/support/fake_engine.h"
#include "ui/bridge/engine_bridge.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

/// Takes a job only when the test lets it pass.
class SlowEngine : public testing::FakeEngine {
public:
    explicit SlowEngine(RunObserver& observer) : FakeEngine(testing::healthyRun(), observer) {}
    JobId submit(VideoRequest request) override {
        pass.acquire();
        return FakeEngine::submit(std::move(request));
    }
    void hold() override {
        FakeEngine::hold();
        isHeld = true;
    }

    QSemaphore pass;
    std::atomic<bool> isHeld = false;
};

}  // namespace

class TestRunMailbox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsTheOrderAndWakesOnce() {
        int wakes = 0;
        RunMailbox mailbox([&] { ++wakes; });
        mailbox.on_event(1, PhaseStarted{Phase::load, 3});
        mailbox.on_event(1, LogLine{LogLineLevel::info, "a"});
        mailbox.on_event(1, LogLine{LogLineLevel::info, "b"});
        const auto events = mailbox.drain().events;
        QCOMPARE(events.size(), std::size_t{3});
        QCOMPARE(std::get<LogLine>(events[2].event).text, std::string("b"));
        QCOMPARE(wakes, 1);
        QVERIFY(mailbox.drain().events.empty());
        mailbox.on_event(1, LogLine{LogLineLevel::info, "c"});
        QCOMPARE(wakes, 2);
    }

    void keepsOnlyTheNewestLatentPreviewAndEveryDecodedFrame() {
        RunMailbox mailbox([] {});
        for (int step = 0; step < 5; ++step)
            mailbox.on_event(1, PreviewReady{PreviewKind::latent, step, 0, 9, 4, {}, {}});
        for (int chunk = 0; chunk < 3; ++chunk)
            mailbox.on_event(1, PreviewReady{PreviewKind::decoded, 0, chunk, 9, 1, {}, {}});
        const auto events = mailbox.drain().events;
        QCOMPARE(events.size(), std::size_t{4});
        QCOMPARE(std::get<PreviewReady>(events[0].event).step, 4);
        QCOMPARE(std::get<PreviewReady>(events[3].event).first_frame, 2);
    }

    void keepsTheNewestProgressOfAPhase() {
        RunMailbox mailbox([] {});
        for (int done = 0; done < 100; ++done) mailbox.on_event(1, PhaseProgress{Phase::load, done, 100, 0});
        mailbox.on_event(1, PhaseProgress{Phase::decode, 1, 9, 0});
        const auto events = mailbox.drain().events;
        QCOMPARE(events.size(), std::size_t{2});
        QCOMPARE(std::get<PhaseProgress>(events[0].event).done, 99);
    }

    void theFramesThatARunFinishesBelongToItsJob() {
        RunMailbox mailbox([] {});
        mailbox.on_event(7, PhaseStarted{Phase::save, 1});
        for (int done = 1; done < 9; ++done) mailbox.on_event(7, FinishProgress{.done = done, .total = 9});
        mailbox.on_event(0, FinishProgress{.finish_id = 3, .done = 2, .total = 9});
        const Mail mail = mailbox.drain();
        QCOMPARE(mail.finishes.size(), std::size_t{1});
        QCOMPARE(mail.events.size(), std::size_t{2});
        QCOMPARE(mail.events[1].job, JobId{7});
        QCOMPARE(std::get<FinishProgress>(mail.events[1].event).done, 8);
    }

    void keepsTheNewestProgressOfEachFileCheck() {
        int wakes = 0;
        RunMailbox mailbox([&] { ++wakes; });
        for (int done = 0; done <= 10; ++done) mailbox.on_event(0, FileCheckProgress{1, done, 10});
        mailbox.on_event(0, FileCheckProgress{2, 3, 10});
        const Mail mail = mailbox.drain();
        QCOMPARE(wakes, 1);
        QVERIFY(mail.events.empty());
        QCOMPARE(mail.checks.size(), std::size_t{2});
        QCOMPARE(mail.checks[0].done, std::int64_t{10});
        QCOMPARE(mail.checks[1].check, CheckId{2});
        QVERIFY(mailbox.drain().empty());
    }

    void summarizesTheSamplesOfAStep() {
        NumericSample sample;
        sample.site = "blocks.0.ffn";
        sample.precision = {ElementType::float16};
        sample.stats.max_abs = 10;
        sample.headroom_stops = 12.7;
        NumericsReady ready{{sample, sample}};
        ready.samples[1].branch = "uncond";
        ready.samples[1].stats.max_abs = 40;
        ready.samples[1].headroom_stops = 10.7;
        ready.samples[1].stats.nan = 2;
        RunMailbox mailbox([] {});
        mailbox.on_event(1, ready);
        const auto step = std::get<StepNumbers>(mailbox.drain().events.at(0).event);
        QCOMPARE(step.sites.size(), std::size_t{1});
        QCOMPARE(step.tightest()->maxAbs, 40.0);
        QCOMPARE(step.tightest()->headroomStops, 0.0);
        QCOMPARE(step.nonFinite(), std::int64_t{2});
        QVERIFY(step.isCounted());
    }

    /// As from a device that shows NaN only in the extremes.
    void aPlaceWithoutACountHasTheLeastNumber() {
        NumericSample sample;
        sample.site = "blocks.0.ffn";
        sample.stats.nan = 1;
        sample.stats.min = sample.stats.max = std::nan("");
        NumericSample finite;
        finite.site = sample.site;
        finite.branch = "uncond";
        RunMailbox mailbox([] {});
        mailbox.on_event(1, NumericsReady{{finite, sample}});
        const auto step = std::get<StepNumbers>(mailbox.drain().events.at(0).event);
        QCOMPARE(step.nonFinite(), std::int64_t{1});
        QVERIFY(!step.isCounted());
    }

    void forwardsTheEventsOfARun() {
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
        });
        std::vector<WindowEvent> seen;
        connect(&bridge, &EngineBridge::eventsArrived, this,
                [&](const std::vector<WindowEvent>& events) { seen.insert(seen.end(), events.begin(), events.end()); });
        QSignalSpy ready(&bridge, &EngineBridge::engineReady);
        bridge.submit({});  // before the engine is ready
        QVERIFY(ready.wait());
        QTRY_VERIFY(!seen.empty() && std::holds_alternative<RunFinished>(seen.back()));
        QVERIFY(std::holds_alternative<RunStarted>(seen.front()));
        const auto steps = std::count_if(seen.begin(), seen.end(), [](const WindowEvent& event) {
            return std::holds_alternative<StepCompleted>(event);
        });
        QCOMPARE(steps, 12);
    }

    void aRunThatWasHiddenIsShownWhenTheOtherEnds() {
        RunObserver* engine = nullptr;
        EngineBridge bridge([&engine](RunObserver& observer) {
            engine = &observer;
            return std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
        });
        QSignalSpy ready(&bridge, &EngineBridge::engineReady);
        QVERIFY(ready.wait());
        std::vector<std::pair<JobId, WindowEvent>> seen;
        connect(&bridge, &EngineBridge::eventsArrived, this, [&](const std::vector<WindowEvent>& events) {
            for (const WindowEvent& event : events) seen.emplace_back(bridge.activeJob(), event);
        });
        Job job;
        job.state = JobState::running;
        QueueChanged queue;
        for (job.id = 1; job.id <= 2; ++job.id) queue.jobs.push_back(job);
        engine->on_event(0, queue);
        for (const JobId run : {1, 2}) engine->on_event(run, RunStarted{});
        engine->on_event(1, StepCompleted{.step = 2, .num_steps = 8});
        QTRY_COMPARE(bridge.jobs().size(), std::size_t{2});
        QTRY_COMPARE(bridge.jobs().at(0).step, 3);
        QCOMPARE(bridge.activeJob(), JobId{2});
        engine->on_event(2, RunFinished{});
        engine->on_event(1, StepCompleted{.step = 3, .num_steps = 8});
        QTRY_COMPARE(seen.size(), std::size_t{5});
        QCOMPARE(seen[2].first, JobId{2});
        QVERIFY(std::holds_alternative<RunFinished>(seen[2].second));
        QCOMPARE(seen[3].first, JobId{1});
        QVERIFY(std::holds_alternative<RunStarted>(seen[3].second));
        QVERIFY(std::holds_alternative<StepCompleted>(seen[4].second));
        engine->on_event(2, LogLine{LogLineLevel::info, "late"});
        engine->on_event(1, RunFinished{});
        QTRY_VERIFY(std::holds_alternative<RunFinished>(seen.back().second));
        QCOMPARE(seen.back().first, JobId{1});
    }

    void answersOnlyTheNewestPlanRequest() {
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
        });
        std::vector<std::string> prompts;
        connect(&bridge, &EngineBridge::planMade, this,
                [&](const Plan& plan) { prompts.push_back(plan.request.prompt); });
        for (const char* prompt : {"a", "ab", "abc"}) {
            VideoRequest request;
            request.prompt = prompt;
            bridge.askPlan(request);
        }
        QTRY_VERIFY(!prompts.empty());
        QSignalSpy cards(&bridge, &EngineBridge::cardRead);
        bridge.askCard("builtin");  // runs in the same lane as plans, so all of them are answered before it
        QVERIFY(cards.wait());
        QCOMPARE(prompts, std::vector<std::string>{"abc"});
    }

    /// A file with a thousand requests takes a minute.
    void ordersDoNotWaitForNewJobs() {
        SlowEngine* engine = nullptr;
        EngineBridge bridge([&engine](RunObserver& observer) {
            auto made = std::make_unique<SlowEngine>(observer);
            engine = made.get();
            return made;
        });
        QSignalSpy ready(&bridge, &EngineBridge::engineReady);
        bool isSubmitted = false;
        for (int i = 0; i < 3; ++i) bridge.submit({});
        bridge.whenSubmitted(&bridge, [&isSubmitted] { isSubmitted = true; });
        QVERIFY(ready.wait());
        bridge.holdQueue();
        QTRY_VERIFY(engine->isHeld);
        QVERIFY(!isSubmitted);
        engine->pass.release(3);
        QTRY_VERIFY(isSubmitted);
        QTRY_COMPARE(bridge.jobs().size(), std::size_t{3});
    }

    void reportsRefusedOrders() {
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<testing::FakeEngine>(testing::failingRun(Error(ErrorCode::internal, "x")),
                                                         observer);
        });
        QSignalSpy refused(&bridge, &EngineBridge::orderRefused);
        QSignalSpy changed(&bridge, &EngineBridge::jobsChanged);
        bridge.submit({});
        QTRY_VERIFY(!bridge.jobs().empty() && bridge.jobs().front().state == JobState::failed);
        bridge.edit(bridge.jobs().front().id, {});
        QVERIFY(refused.wait());
    }

    void reportsThatTheEngineCannotBeCreated() {
        EngineBridge bridge(
            [](RunObserver&) -> std::unique_ptr<Engine> { throw Error(ErrorCode::file_not_found, "no model"); });
        QSignalSpy failed(&bridge, &EngineBridge::engineFailed);
        bridge.askModels();
        QVERIFY(failed.wait());
    }

    void canBeDestroyedDuringARun() {
        auto bridge = std::make_unique<EngineBridge>([](RunObserver& observer) {
            auto engine = std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
            engine->queue().holdAfter(8);
            return engine;
        });
        QSignalSpy events(bridge.get(), &EngineBridge::eventsArrived);
        bridge->submit({});
        QVERIFY(events.wait());
        bridge.reset();
        QTest::qWait(50);
    }
};

QTEST_GUILESS_MAIN(TestRunMailbox)
#include "test_run_mailbox.moc"
