#include <QtTest>
#include <limits>

#include "ui/widgets/playhead.h"
#include "ui/widgets/plots/phase_axis.h"
#include "ui/widgets/plots/step_cursor.h"

using namespace kinescope::ui;

/// Tests the value classes that painted widgets use: playback position, phase axis and step cursor.
class TestPlayhead : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void advance_data() {
        QTest::addColumn<int>("frames");
        QTest::addColumn<int>("ready");
        QTest::addColumn<bool>("looping");
        QTest::addColumn<int>("start");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<int>("frame");
        QTest::addColumn<bool>("still_playing");
        QTest::newRow("less than a frame") << 8 << 8 << true << 0 << 0.05 << 0 << true;
        QTest::newRow("one frame") << 8 << 8 << true << 0 << 0.125 << 1 << true;
        QTest::newRow("skips when late") << 8 << 8 << true << 0 << 0.40 << 3 << true;
        QTest::newRow("wraps") << 8 << 8 << true << 6 << 0.50 << 2 << true;
        QTest::newRow("many loops") << 8 << 8 << true << 1 << 10.0 << 1 << true;
        QTest::newRow("stops at the end") << 8 << 8 << false << 6 << 0.50 << 7 << false;
        QTest::newRow("waits for more frames") << 8 << 4 << false << 2 << 0.50 << 3 << true;
        QTest::newRow("loops over ready frames") << 8 << 4 << true << 3 << 0.125 << 0 << true;
        QTest::newRow("after a long suspend") << 8 << 8 << true << 0 << 1e15 << -1 << true;
    }
    void advance() {
        QFETCH(int, frames);
        QFETCH(int, ready);
        QFETCH(bool, looping);
        QFETCH(int, start);
        QFETCH(double, seconds);
        QFETCH(int, frame);
        QFETCH(bool, still_playing);
        Playhead head;
        head.setRange(frames, ready);
        head.setFps(8);
        head.setLooping(looping);
        head.seek(start);
        head.play();
        head.advance(seconds);
        if (frame >= 0) QCOMPARE(head.frame(), frame);
        QVERIFY(head.frame() >= 0 && head.frame() < ready);
        QCOMPARE(head.isPlaying(), still_playing);
    }

    void keepsTimeBetweenTicks() {
        Playhead head;
        head.setRange(100, 100);
        head.setFps(8);
        head.play();
        int moved = 0;
        for (int i = 0; i < 100; ++i) moved += head.advance(0.03) ? 1 : 0;
        QCOMPARE(head.frame(), 24);  // 3 s at 8 fps
        QCOMPARE(moved, 24);
    }

    void invalidSpeeds() {
        Playhead head;
        head.setRange(10, 10);
        head.setFps(10);
        head.setSpeed(2);
        head.play();
        head.advance(0.1);
        QCOMPARE(head.frame(), 2);
        head.setSpeed(99);
        QCOMPARE(head.speed(), 2.0);
        head.setFps(-3);
        QCOMPARE(head.fps(), 8.0);
        head.setFps(std::numeric_limits<double>::quiet_NaN());
        QCOMPARE(head.fps(), 8.0);
        head.seek(-5);
        QCOMPARE(head.frame(), 0);
        head.seek(1000);
        QCOMPARE(head.frame(), 9);
        QVERIFY(!head.advance(-1));
        head.setRange(0, 0);
        QVERIFY(!head.isPlaying());
        head.play();
        QVERIFY(!head.isPlaying());
    }

    void playAtTheEndRestarts() {
        Playhead head;
        head.setRange(5, 5);
        head.setLooping(false);
        head.seek(4);
        head.play();
        QCOMPARE(head.frame(), 0);
    }

    void preview_data() {
        QTest::addColumn<int>("frame");
        QTest::addColumn<int>("num_frames");
        QTest::addColumn<int>("previews");
        QTest::addColumn<int>("each");
        QTest::addColumn<int>("index");
        QTest::newRow("4n+1: first alone") << 0 << 49 << 13 << 4 << 0;
        QTest::newRow("4n+1: second group begins") << 1 << 49 << 13 << 4 << 1;
        QTest::newRow("4n+1: second group ends") << 4 << 49 << 13 << 4 << 1;
        QTest::newRow("4n+1: third") << 5 << 49 << 13 << 4 << 2;
        QTest::newRow("4n+1: last") << 48 << 49 << 13 << 4 << 12;
        QTest::newRow("one to one") << 7 << 24 << 24 << 1 << 7;
        QTest::newRow("equal parts") << 12 << 24 << 6 << 4 << 3;
        QTest::newRow("nothing") << 3 << 24 << 0 << 4 << -1;
        QTest::newRow("beyond the end") << 500 << 24 << 6 << 4 << 5;
    }
    void preview() {
        QFETCH(int, frame);
        QFETCH(int, num_frames);
        QFETCH(int, previews);
        QFETCH(int, each);
        QFETCH(int, index);
        QCOMPARE(previewIndex(frame, num_frames, previews, each), index);
    }

    void phaseWidths_data() {
        QTest::addColumn<QList<double>>("expected");
        QTest::addColumn<double>("width");
        QTest::addColumn<QList<double>>("widths");
        QTest::newRow("by time") << QList<double>{100, 300} << 404.0 << QList<double>{100, 300};
        QTest::newRow("minimum width") << QList<double>{1, 1000, 1} << 508.0 << QList<double>{60, 380, 60};
        QTest::newRow("minimum widths shrink the others")
            << QList<double>{1, 65, 334} << 408.0 << QList<double>{60, 60, 280};
        QTest::newRow("no room: equal") << QList<double>{1, 9} << 104.0 << QList<double>{50, 50};
        QTest::newRow("unknown times") << QList<double>{0, -1} << 404.0 << QList<double>{200, 200};
        QTest::newRow("no phases") << QList<double>{} << 404.0 << QList<double>{};
    }
    void phaseWidths() {
        QFETCH(QList<double>, expected);
        QFETCH(double, width);
        QFETCH(QList<double>, widths);
        const PhaseAxis axis(expected, {.left = 10, .width = width, .gap = 4, .floor = 60});
        QCOMPARE(axis.count(), static_cast<int>(widths.size()));
        double x = 10;
        for (int i = 0; i < axis.count(); ++i) {
            QVERIFY2(qAbs(axis.width(i) - widths[i]) < 1e-3, qPrintable(QString::number(axis.width(i))));
            QVERIFY(qAbs(axis.start(i) - x) < 1e-3);
            x += axis.width(i) + 4;
        }
        if (axis.count() > 0) QVERIFY(qAbs(axis.end(axis.count() - 1) - (10 + width)) < 1e-3);
    }

    void momentsAreClampedToTheirPhase() {
        const PhaseAxis axis({1, 1}, {.left = 0, .width = 204});
        QCOMPARE(axis.at(1, 0.5), 154.0);
        QCOMPARE(axis.at(1, 7.0), axis.end(1));
        QCOMPARE(axis.at(1, -7.0), axis.start(1));
    }

    void cursorHoversPinsAndFrees() {
        StepCursor cursor;
        QSignalSpy moved(&cursor, &StepCursor::stepChanged);
        QSignalSpy pinned(&cursor, &StepCursor::pinnedChanged);
        cursor.hover(5);
        cursor.pin(7);
        cursor.hover(3);  // a pinned cursor does not follow the pointer
        QCOMPARE(cursor.step(), 7);
        cursor.release();
        QCOMPARE(cursor.step(), 3);
        cursor.pin(3);
        cursor.pin(3);  // pinning again releases it
        QCOMPARE(cursor.pinned(), 0);
        cursor.leave();
        QCOMPARE(cursor.step(), 0);
        QCOMPARE(moved.count(), 4);   // 5, 7, 3, 0
        QCOMPARE(pinned.count(), 4);  // 7, 0, 3, 0
    }
};

QTEST_GUILESS_MAIN(TestPlayhead)
#include "test_playhead.moc"
