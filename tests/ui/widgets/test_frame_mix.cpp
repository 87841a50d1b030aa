#include <QtTest>

#include "ui/widgets/compare_player.h"
#include "ui/widgets/theme.h"

using namespace kinescope::ui;

namespace {

QImage plain(int red, QSize size = {40, 20}) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(qRgb(red, 10, 0));
    return image;
}

}  // namespace

class TestFrameMix : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sideBySide() {
        const QImage both = mixFrames(plain(100), plain(200), FrameMix::sideBySide, 0);
        QCOMPARE(both.size(), QSize(88, 20));
        QCOMPARE(qRed(both.pixel(5, 5)), 100);
        QCOMPARE(qRed(both.pixel(80, 5)), 200);
    }

    void picturesSideBySideKeepTheirAspectRatios() {
        const QImage both = mixFrames(plain(100), plain(200, {80, 80}), FrameMix::sideBySide, 0);
        QCOMPARE(both.size(), QSize(40 + 8 + 20, 20));
        QCOMPARE(qRed(both.pixel(60, 10)), 200);
    }

    void wipe() {
        const QImage half = mixFrames(plain(100), plain(200), FrameMix::wipe, 0.5);
        QCOMPARE(half.size(), QSize(40, 20));
        QCOMPARE(qRed(half.pixel(10, 5)), 100);
        QCOMPARE(qRed(half.pixel(30, 5)), 200);
        QCOMPARE(qRed(mixFrames(plain(100), plain(200), FrameMix::wipe, 0).pixel(20, 5)), 200);
    }

    void differencesAreMadeVisible() {
        const QImage difference = mixFrames(plain(100), plain(103), FrameMix::difference, 0);
        QCOMPARE(difference.pixel(3, 3), qRgb(24, 0, 0));
        QCOMPARE(qRed(mixFrames(plain(0), plain(200), FrameMix::difference, 0).pixel(0, 0)), 255);
    }

    void blink() {
        QCOMPARE(qRed(mixFrames(plain(1), plain(2), FrameMix::blink, 0).pixel(0, 0)), 1);
        QCOMPARE(qRed(mixFrames(plain(1), plain(2), FrameMix::blink, 1).pixel(0, 0)), 2);
    }

    void imagesAreScaledToTheFirstSize() {
        const QImage difference = mixFrames(plain(100), plain(100, {80, 40}), FrameMix::difference, 0);
        QCOMPARE(difference.size(), QSize(40, 20));
        QCOMPARE(qRed(difference.pixel(20, 10)), 0);
        QVERIFY(mixFrames(QImage(), plain(7), FrameMix::wipe, 0.5).size() == QSize(40, 20));
    }

    void bothClipsPlayTogether() {
        Theme theme;
        ComparePlayer player(theme);
        player.setClips({plain(1), plain(2), plain(3)}, {plain(11), plain(12)}, 8);
        QCOMPARE(player.numFrames(), 2);
        player.pause();
        player.setMix(FrameMix::wipe);
        player.setWipe(0.5);
        player.seek(1);
        QCOMPARE(qRed(player.currentImage().pixel(2, 2)), 2);
        QCOMPARE(qRed(player.currentImage().pixel(38, 2)), 12);
        player.setClips({plain(1)}, {}, 8);
        QCOMPARE(player.currentImage().size(), QSize(40, 20));
    }
};

QTEST_MAIN(TestFrameMix)
#include "test_frame_mix.moc"
