#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QtTest>
#include <functional>

#include "ui/widgets/frame_player.h"
#include "ui/widgets/scrub_slider.h"
#include "ui/widgets/transport_bar.h"

using namespace kinescope::ui;

namespace {

QList<QImage> clip(int count, const QSize& size = {48, 32}) {
    QList<QImage> frames;
    for (int i = 0; i < count; ++i) {
        QImage frame(size, QImage::Format_RGB888);
        frame.fill(QColor::fromHsv(i * 300 / qMax(count, 1), 255, 255));
        frames.append(frame);
    }
    return frames;
}

QImage gray() {
    QImage picture(6, 4, QImage::Format_RGB32);
    picture.fill(Qt::gray);
    return picture;
}

/// Returns the color at the center of the player.
QColor middle(QWidget& widget) {
    return widget.grab().toImage().pixelColor(widget.width() / 2, widget.height() / 2);
}

}  // namespace

class TestFramePlayer : public QObject {
    Q_OBJECT

private:
    Theme theme_;

private Q_SLOTS:
    void initTestCase() {
        theme_.setMode(Theme::Mode::dark);
        theme_.install();
    }

    void startsEmpty() {
        FramePlayer player(theme_);
        QCOMPARE(player.kindName(), QString("none"));
        QVERIFY(player.currentImage().isNull());
        player.play();
        player.step(3);
        player.seek(9);
        QCOMPARE(player.frame(), 0);
        QVERIFY(!player.isPlaying());
        const QImage before = player.grab().toImage();
        player.setEmptyState("stopo", "Stopped at step 9", "Block 12 is not a number");
        QVERIFY(player.grab().toImage() != before);
    }

    void keys() {
        FramePlayer player(theme_);
        player.setFrames(clip(30), 8);
        player.pause();
        player.seek(0);
        const auto press = [&](Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier) {
            QTest::keyClick(&player, key, with);
            return player.frame();
        };
        QCOMPARE(press(Qt::Key_Right), 1);
        QCOMPARE(press(Qt::Key_Right, Qt::ShiftModifier), 11);
        QCOMPARE(press(Qt::Key_Left), 10);
        QCOMPARE(press(Qt::Key_Left, Qt::ShiftModifier), 0);
        QCOMPARE(press(Qt::Key_Left), 0);
        QCOMPARE(press(Qt::Key_End), 29);
        QCOMPARE(press(Qt::Key_Right), 29);
        QCOMPARE(press(Qt::Key_Home), 0);
        press(Qt::Key_Space);
        QVERIFY(player.isPlaying());
        press(Qt::Key_Right);  // stepping stops playback
        QVERIFY(!player.isPlaying());
        press(Qt::Key_L);
        QVERIFY(!player.isLooping());
    }

    void keysThatEmitRequests() {
        FramePlayer player(theme_);
        player.setFrames(clip(3), 8);
        QSignalSpy compare(&player, &FramePlayer::compareRequested);
        QSignalSpy save(&player, &FramePlayer::saveFrameRequested);
        QSignalSpy theatre(&player, &FramePlayer::theatreRequested);
        QSignalSpy left(&player, &FramePlayer::theatreLeft);
        for (const Qt::Key key : {Qt::Key_C, Qt::Key_S, Qt::Key_F, Qt::Key_Escape}) QTest::keyClick(&player, key);
        QCOMPARE(compare.count() + save.count() + theatre.count() + left.count(), 4);
        QTest::keyClick(&player, Qt::Key_S, Qt::ControlModifier);  // a menu shortcut
        QCOMPARE(save.count(), 1);
        QTest::mouseDClick(&player, Qt::LeftButton);
        QCOMPARE(theatre.count(), 2);
    }

    void playsAtTheFrameRateOnlyWhileVisible() {
        FramePlayer player(theme_);
        player.setFrames(clip(10), 100);
        QVERIFY(player.isPlaying());
        QSignalSpy shown(&player, &FramePlayer::frameShown);
        QTest::qWait(60);
        QCOMPARE(shown.count(), 0);  // the timer stops while hidden
        player.show();
        QTRY_VERIFY(shown.count() >= 5);
    }

    void stopsAtTheEndWithoutLoop() {
        FramePlayer player(theme_);
        player.setLooping(false);
        player.setFrames(clip(5), 200);
        QSignalSpy playing(&player, &FramePlayer::playingChanged);
        player.show();
        QTRY_VERIFY(!player.isPlaying());
        QCOMPARE(player.frame(), 4);
        QCOMPARE(playing.last().first().toBool(), false);
    }

    void latentThenFinal() {
        FramePlayer player(theme_);
        player.resize(300, 200);
        player.setFinalSize({480, 320});
        player.setPreview(clip(4, {12, 8}), 13, 4);
        player.pause();
        QCOMPARE(player.kindName(), QString("latent"));
        QCOMPARE(player.numFrames(), 13);
        QCOMPARE(player.numFinal(), 0);
        player.seek(8);
        QCOMPARE(player.currentImage().size(), QSize(12, 8));
        const QColor latent = player.currentImage().pixelColor(0, 0);
        QCOMPARE(latent, clip(4)[2].pixelColor(0, 0));

        QImage white({480, 320}, QImage::Format_RGB32);
        white.fill(Qt::white);
        player.appendFrames(0, {white, white, white}, 13);
        QCOMPARE(player.kindName(), QString("final"));
        QCOMPARE(player.numFinal(), 3);
        QCOMPARE(player.currentImage().pixelColor(0, 0), latent);  // frame 8 is not decoded yet
        player.seek(2);
        QCOMPARE(player.currentImage().size(), QSize(480, 320));
        QCOMPARE(middle(player), QColor(Qt::white));
        player.appendFrames(5, {white}, 13);  // frames after a gap do not count as ready
        QCOMPARE(player.numFinal(), 3);
        player.appendFrames(3, {white, white}, 13);
        QCOMPARE(player.numFinal(), 6);
        player.appendFrames(-1, {white}, 13);
        QCOMPARE(player.numFrames(), 13);
    }

    void aStillLeavesTheClipAsItIs() {
        FramePlayer player(theme_);
        player.resize(300, 200);
        player.setFrames(clip(2), 8);
        player.pause();
        player.showStill(gray(), "Step 5 of 20");
        QCOMPARE(middle(player), QColor(Qt::gray));
        QCOMPARE(player.currentImage().size(), QSize(48, 32));
        QCOMPARE(player.valueText(), QString("Step 5 of 20"));
        player.appendFrames(0, clip(2), 2);  // the clip changes behind the still
        QCOMPARE(player.valueText(), QString("Step 5 of 20"));
        QCOMPARE(middle(player), QColor(Qt::gray));
    }

    void onlyTheUserLeavesAStill() {
        FramePlayer player(theme_);
        player.resize(300, 200);
        player.setFrames(clip(9), 8);
        player.pause();
        QSignalSpy left(&player, &FramePlayer::stillLeft);
        const auto clears = [&](const std::function<void()>& act) {
            player.showStill(gray(), "Step 5 of 20");
            act();
            return middle(player) != QColor(Qt::gray) && player.valueText() != "Step 5 of 20";
        };
        QVERIFY(clears([&] { player.clearStill(); }));
        QVERIFY(clears([&] { player.play(); }));
        player.pause();
        QVERIFY(clears([&] { player.setFrames(clip(9), 8); }));
        QCOMPARE(left.count(), 0);
        player.pause();
        QVERIFY(clears([&] { QTest::keyClick(&player, Qt::Key_Escape); }));
        QCOMPARE(player.valueText(), QString("Frame 1 of 9"));
        QVERIFY(clears([&] { player.seek(4); }));
        QVERIFY(clears([&] { QTest::keyClick(&player, Qt::Key_Space); }));
        QCOMPARE(left.count(), 3);
        QVERIFY(player.isPlaying());
        QVERIFY(clears([&] { player.togglePlaying(); }));  // returns to the clip, which plays already
        QVERIFY(player.isPlaying());
    }

    void aNewPreviewKeepsFrameAndPause() {
        FramePlayer player(theme_);
        player.setPreview(clip(4), 13, 4);
        QVERIFY(player.isPlaying());
        player.pause();
        player.seek(7);
        player.setPreview(clip(4), 13, 4);
        QVERIFY(!player.isPlaying());
        QCOMPARE(player.frame(), 7);
        player.setPreview({}, 13, 4);
        QCOMPARE(player.kindName(), QString("latent"));
    }

    void zooms() {
        FramePlayer player(theme_);
        player.resize(400, 300);
        QImage frame(40, 40, QImage::Format_RGB32);
        frame.fill(Qt::white);
        player.setFrames({frame}, 8);
        const auto widthShown = [&] {
            const QImage shot = player.grab().toImage();
            int bright = 0;
            for (int x = 0; x < shot.width(); ++x) bright += shot.pixelColor(x, 150).lightness() > 200 ? 1 : 0;
            return bright;
        };
        QCOMPARE(widthShown(), 300);
        player.setZoom(FramePlayer::Zoom::full);
        QCOMPARE(widthShown(), 40);
        player.setZoom(FramePlayer::Zoom::pixels);
        QCOMPARE(widthShown(), 280);  // the largest integer multiple that fits
        QWheelEvent wheel({200, 150}, {200, 150}, {}, {0, 120}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(&player, &wheel);
        QCOMPARE(widthShown(), 350);
    }

    void shrinksLargeFramesOncePerFrame() {
        FramePlayer player(theme_);
        player.resize(200, 100);
        player.setFrames(clip(2, {800, 400}), 8);
        player.pause();
        player.seek(0);
        const QColor first = middle(player);
        player.seek(1);
        QVERIFY(middle(player) != first);
        player.seek(0);
        QCOMPARE(middle(player), first);
    }

    void badgeIsDrawn() {
        FramePlayer player(theme_);
        player.resize(300, 200);
        player.setFrames(clip(1), 8);
        const QImage plain = player.grab().toImage();
        player.setBadge("Step 23 of 50");
        QVERIFY(player.grab().toImage() != plain);
    }

    void transportFollowsAndDrives() {
        FramePlayer player(theme_);
        TransportBar bar(theme_, player);
        bar.resize(600, 70);
        bar.show();
        QVERIFY(!bar.playButton()->isEnabled());
        player.setFrames(clip(49), 8);
        QVERIFY(bar.playButton()->isEnabled());
        QCOMPARE(bar.playButton()->accessibleName(), QString("Pause"));
        QTest::mouseClick(bar.playButton(), Qt::LeftButton);
        QCOMPARE(bar.playButton()->accessibleName(), QString("Play"));
        QTest::mouseClick(bar.slider(), Qt::LeftButton, {}, bar.slider()->rect().center());
        QCOMPARE(player.frame(), 24);
        QTest::keyClick(bar.slider(), Qt::Key_Right);
        QCOMPARE(player.frame(), 25);
        QCOMPARE(bar.slider()->ready(), 49);
        bool said = false;
        for (const QLabel* label : bar.findChildren<QLabel*>()) said = said || label->text() == "Frame 26 of 49";
        QVERIFY(said);
        auto* speed = bar.findChild<QToolButton*>("speedButton");
        QCOMPARE(speed->text(), QString("8 fps"));
        speed->menu()->actions().last()->trigger();
        QCOMPARE(player.speed(), 2.0);
        QCOMPARE(speed->text(), QString("8 fps, 2 ×"));
        player.clear();
        QVERIFY(!bar.slider()->isEnabled());
    }

    void setValueDoesNotEmitScrubbed() {
        ScrubSlider slider(theme_);
        slider.setRange(0, 9);
        QSignalSpy scrubbed(&slider, &ScrubSlider::scrubbed);
        slider.setValue(5);
        QCOMPARE(scrubbed.count(), 0);
    }
};

QTEST_MAIN(TestFramePlayer)
#include "test_frame_player.moc"
