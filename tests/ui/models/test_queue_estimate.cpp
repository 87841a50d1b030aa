#include <QtTest>

#include "ui/models/queue_estimate.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestQueueEstimate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jobsStartWhenThoseBeforeThemEnd() {
        const auto starts = secondsToStart({{JobState::running, 30.0},
                                            {JobState::waiting, 60.0},
                                            {JobState::paused, 500.0},
                                            {JobState::waiting, std::nullopt},
                                            {JobState::failed, 5.0},
                                            {JobState::waiting, 10.0}});
        QVERIFY(!starts[0] && !starts[2] && !starts[4]);
        QCOMPARE(starts[1], std::optional(30.0));
        QCOMPARE(starts[3], std::optional(90.0));
        QVERIFY(!starts[5]);  // the time of the job before it is unknown
    }

    void theFirstStartsAtOnce() {
        QCOMPARE(secondsToStart({{JobState::waiting, 7.0}, {JobState::waiting, 7.0}})[1], std::optional(7.0));
        QCOMPARE(secondsToStart({{JobState::waiting, std::nullopt}})[0], std::optional(0.0));
        QVERIFY(!secondsToStart({{JobState::running, std::nullopt}, {JobState::waiting, 7.0}})[1]);
        QVERIFY(secondsToStart({}).empty());
    }

    void twoEnginesTakeTurns() {
        const auto starts = secondsToStart({{JobState::running, 50.0},
                                            {JobState::running, 20.0},
                                            {JobState::waiting, 40.0},
                                            {JobState::waiting, 5.0},
                                            {JobState::waiting, 5.0}});
        QCOMPARE(starts[2], std::optional(20.0));
        QCOMPARE(starts[3], std::optional(50.0));
        QCOMPARE(starts[4], std::optional(55.0));
        QVERIFY(!secondsToStart({{JobState::running, 5.0}, {JobState::running, {}}, {JobState::waiting, 1.0}})[2]);
    }

    void promptAndSeedCostNothing() {
        VideoRequest a;
        a.prompt = "a ball";
        a.seed = 1;
        a.output.file = "a.mp4";
        VideoRequest b;
        b.prompt = "a cube";
        b.negative_prompt = "rain";
        b.seed = 2;
        QCOMPARE(costKey(a), costKey(b));
        b.num_frames = 9;
        QVERIFY(costKey(a) != costKey(b));
    }
};

QTEST_GUILESS_MAIN(TestQueueEstimate)
#include "test_queue_estimate.moc"
