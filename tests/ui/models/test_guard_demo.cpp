#include <QtTest>
#include <cmath>

#include "tests/support/fake_engine.h"
#include "ui/models/guard_demo.h"
#include "ui/models/guard_demo_story.h"

using namespace kinescope;
using namespace kinescope::ui;
using testing::demoRun;

namespace {

FramePtr grayFrame(std::uint8_t level, int width = 4) {
    return std::make_shared<const Frame>(Frame{width, 2, std::vector<std::uint8_t>(std::size_t(width) * 2 * 3, level)});
}

GuardDemoStory storyOfTheDemo() {
    return guardDemoStory(demoRun(GuardDemoRun::unguarded), demoRun(GuardDemoRun::guarded),
                          demoRun(GuardDemoRun::reference));
}

}  // namespace

class TestGuardDemo : public QObject {
    Q_OBJECT

private:
    kinescope::testing::FakeEngine* engine_ = nullptr;
    std::unique_ptr<EngineBridge> bridge_;
    std::unique_ptr<GuardDemo> demo_;

private Q_SLOTS:
    void init() {
        bridge_ = std::make_unique<EngineBridge>([this](RunObserver& observer) {
            auto made = std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
            engine_ = made.get();
            return made;
        });
        demo_ = std::make_unique<GuardDemo>(*bridge_);
        QSignalSpy ready(bridge_.get(), &EngineBridge::engineReady);
        QVERIFY(ready.wait());
    }

    void cleanup() {
        demo_.reset();
        bridge_.reset();
    }

    void makesTheThreeRuns() {
        demo_->start();
        QCOMPARE(demo_->state(), GuardDemo::State::running);
        QVERIFY(demo_->isCurrent(GuardDemoRun::unguarded));
        QTRY_COMPARE(demo_->state(), GuardDemo::State::done);
        QVERIFY(demo_->result(GuardDemoRun::unguarded)->error);
        QVERIFY(!demo_->result(GuardDemoRun::guarded)->frames.empty());
        QVERIFY(demo_->result(GuardDemoRun::reference)->actions.empty());
        demo_->start();
        QVERIFY2(!demo_->result(GuardDemoRun::unguarded), "a second start discards the results");
        QTRY_COMPARE(demo_->state(), GuardDemo::State::done);
    }

    void waitsForTheCurrentJob() {
        engine_->queue().holdAfter(4);
        VideoRequest request = with_defaults({}, kinescope::testing::demoCard());
        QTemporaryDir folder;
        request.output.file = folder.filePath("a.mp4").toStdString();
        bridge_->submit(request);
        QTRY_VERIFY(!bridge_->jobs().empty() && bridge_->jobs().front().state == JobState::running);
        demo_->start();
        QCOMPARE(demo_->state(), GuardDemo::State::waiting);
        engine_->queue().release();
        QTRY_COMPARE(demo_->state(), GuardDemo::State::done);
    }

    void tellsWhyItFailed() {
        engine_->failDemo(Error(ErrorCode::file_not_found, "no model"));
        demo_->start();
        QTRY_COMPARE(demo_->state(), GuardDemo::State::failed);
        QCOMPARE(demo_->error()->code(), ErrorCode::file_not_found);
    }

    void theStoryNamesFaultAndFix() {
        const GuardDemoStory story = storyOfTheDemo();
        QCOMPARE(story.site, std::string("transformer.blocks.2.attn1.to_q"));
        QCOMPARE(story.needed, 370'000.0);
        QCOMPARE(story.numSteps, 4);
        QVERIFY(story.firstBad);
        QCOMPARE(story.firstBad->action, GuardAction::observe);
        QCOMPARE(story.repairs.size(), std::size_t{1});
        QCOMPARE(story.repairSeconds, 0.04);
        QVERIFY2(story.psnrDb > 40 && story.psnrDb < 80, qPrintable(QString::number(story.psnrDb)));
    }

    void psnrOfKnownFrames() {
        QVERIFY(std::isinf(psnrDb({grayFrame(90)}, {grayFrame(90)})));
        // A difference of 2 of 255 everywhere: 20 log10(255 / 2).
        QVERIFY(std::abs(psnrDb({grayFrame(90)}, {grayFrame(92)}) - 42.1102) < 1e-3);
        QCOMPARE(psnrDb({grayFrame(90)}, {}), 0.0);
        QCOMPARE(psnrDb({grayFrame(90)}, {grayFrame(90, 6)}), 0.0);
        QCOMPARE(psnrDb({}, {}), 0.0);
    }
};

QTEST_MAIN(TestGuardDemo)
#include "test_guard_demo.moc"
