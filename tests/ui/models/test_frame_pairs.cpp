#include <QTest>

#include "ui/models/frame_pairs.h"

using namespace kinescope::ui;

using Pairs = std::vector<std::pair<int, int>>;

/// Which frames of two videos are shown side by side.
class TestFramePairs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void framesWithTheSameNumbersAreShown_data() {
        QTest::addColumn<ReadFrames>("a");
        QTest::addColumn<ReadFrames>("b");
        QTest::addColumn<Pairs>("pairs");
        const auto row = [](const char* name, ReadFrames a, ReadFrames b, const Pairs& pairs) {
            QTest::newRow(name) << a << b << pairs;
        };
        row("whole videos", {3, 3}, {3, 3}, {{0, 0}, {1, 1}, {2, 2}});
        row("a shorter whole video", {3, 3}, {2, 2}, {{0, 0}, {1, 1}});
        row("every second frame of both", {3, 5}, {3, 5}, {{0, 0}, {1, 1}, {2, 2}});
        row("every second frame of B", {5, 5}, {3, 5}, {{0, 0}, {2, 1}, {4, 2}});
        row("every second frame of A", {5, 9}, {5, 5}, {{0, 0}, {1, 2}, {2, 4}});
        row("every second and every third frame", {5, 9}, {5, 13}, {{0, 0}, {2, 1}, {3, 2}});
        row("one frame", {1, 1}, {5, 9}, {{0, 0}});
        row("more frames than the file says", {3, 2}, {3, 3}, {{0, 0}, {1, 1}, {2, 2}});
        row("nothing is read", {0, 9}, {3, 3}, {});
    }

    void framesWithTheSameNumbersAreShown() {
        QFETCH(ReadFrames, a);
        QFETCH(ReadFrames, b);
        QTEST(framePairs(a, b), "pairs");
    }
};

QTEST_APPLESS_MAIN(TestFramePairs)
#include "test_frame_pairs.moc"
