#include <QtTest>

#include "ui/models/video_check.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

FramePtr picture(std::uint8_t value) {
    return std::make_shared<const Frame>(Frame{2, 2, std::vector<std::uint8_t>(12, value)});
}

}  // namespace

class TestVideoCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void verdicts_data() {
        QTest::addColumn<QList<int>>("values");
        QTest::addColumn<int>("expected");
        QTest::addColumn<bool>("whole");
        QTest::addColumn<QString>("words");
        QTest::newRow("whole") << QList<int>{9, 90} << 2 << true << "Complete: 2 frames can be read.";
        QTest::newRow("cut off") << QList<int>{9} << 2 << false << "Incomplete: 1 of 2 frames can be read.";
        QTest::newRow("no frames") << QList<int>{} << 2 << false << "Damaged: no frame can be read.";
        QTest::newRow("black") << QList<int>{0, 2} << 2 << false << "All frames are black.";
        QTest::newRow("one black frame") << QList<int>{0, 200, 3} << 3 << true
                                         << "Complete: 3 frames can be read. 2 of them are black.";
        QTest::newRow("unknown number of frames") << QList<int>{40} << 0 << true << "Complete: 1 frames can be read.";
    }

    /// The expected texts are plural: without a translation, %n always uses the plural form.
    void verdicts() {
        QFETCH(QList<int>, values);
        QFETCH(int, expected);
        std::vector<FramePtr> frames;
        for (const int value : values) frames.push_back(picture(static_cast<std::uint8_t>(value)));
        std::optional<VideoRequest> request;
        if (expected > 0) request.emplace().num_frames = expected;
        const VideoCheck check = checkVideo(frames, request);
        QTEST(isWhole(check), "whole");
        QTEST(videoCheckText(check), "words");
    }
};

QTEST_GUILESS_MAIN(TestVideoCheck)
#include "test_video_check.moc"
