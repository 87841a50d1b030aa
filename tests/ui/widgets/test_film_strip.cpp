#include <QSignalSpy>
#include <QtTest>

#include "ui/widgets/film_strip.h"

using namespace kinescope::ui;

namespace {

QList<FilmStrip::Tile> tilesOf(int steps) {
    QImage picture(48, 48, QImage::Format_RGB32);
    picture.fill(Qt::red);
    QList<FilmStrip::Tile> tiles;
    for (int step = 1; step <= steps; ++step) tiles << FilmStrip::Tile{step, picture};
    return tiles;
}

}  // namespace

class TestFilmStrip : public QObject {
    Q_OBJECT

private:
    Theme theme_;

private Q_SLOTS:
    void showsAsManyStepsAsFit() {
        FilmStrip strip(theme_);
        strip.resize(212, 56);  // four pictures of 48 px
        QVERIFY(strip.shownSteps().isEmpty());
        strip.setTiles(tilesOf(3));
        QCOMPARE(strip.shownSteps(), (QList<int>{1, 2, 3}));
        strip.setTiles(tilesOf(10));
        QCOMPARE(strip.shownSteps(), (QList<int>{1, 4, 7, 10}));
        strip.show();
        QCOMPARE(strip.grab().toImage().pixelColor(28, 20), QColor(Qt::red));
    }

    void theSelectedStepIsAmongTheShownOnes() {
        FilmStrip strip(theme_);
        strip.resize(212, 56);  // four pictures
        strip.setTiles(tilesOf(10));
        strip.setSelected(5);
        QCOMPARE(strip.shownSteps(), (QList<int>{1, 5, 7, 10}));
        strip.setSelected(9);
        QCOMPARE(strip.shownSteps(), (QList<int>{1, 4, 9, 10}));
        strip.setSelected(2);  // the first step stays
        QCOMPARE(strip.shownSteps(), (QList<int>{1, 2, 7, 10}));
        strip.setSelected(11);  // not kept
        QCOMPARE(strip.shownSteps(), (QList<int>{1, 4, 7, 10}));
    }

    void aNarrowStripShowsOneStep() {
        FilmStrip strip(theme_);
        strip.resize(60, 56);
        strip.setTiles(tilesOf(10));
        QCOMPARE(strip.shownSteps(), QList<int>{1});
        strip.setSelected(10);
        QCOMPARE(strip.shownSteps(), QList<int>{10});
    }

    void picturesGrowWithTheText() {
        FilmStrip strip(theme_);
        strip.resize(224, 112);
        strip.setTiles(tilesOf(10));
        QCOMPARE(strip.sizeHint().height(), 56);
        theme_.setTextScalePercent(200);
        const auto normal = qScopeGuard([this] { theme_.setTextScalePercent(100); });
        QCOMPARE(strip.sizeHint().height(), 112);
        QCOMPARE(strip.shownSteps(), (QList<int>{1, 10}));
    }

    void stepsAreSelectedByMouse() {
        FilmStrip strip(theme_);
        strip.resize(212, 56);
        strip.setTiles(tilesOf(10));
        QSignalSpy chosen(&strip, &FilmStrip::stepChosen);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(80, 20));
        QCOMPARE(chosen.takeFirst().first().toInt(), 4);
        QCOMPARE(strip.selected(), 4);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(80, 20));  // again: none
        QCOMPARE(chosen.takeFirst().first().toInt(), 0);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(211, 20));
        QVERIFY(chosen.isEmpty());
    }

    void stepsAreSelectedByKeys() {
        FilmStrip strip(theme_);
        QSignalSpy chosen(&strip, &FilmStrip::stepChosen);
        QTest::keyClick(&strip, Qt::Key_Left);
        QVERIFY(chosen.isEmpty());
        strip.setTiles(tilesOf(3));
        for (const Qt::Key key :
             {Qt::Key_Right, Qt::Key_Left, Qt::Key_Left, Qt::Key_Left, Qt::Key_Right, Qt::Key_Escape})
            QTest::keyClick(&strip, key);
        QList<int> steps;
        for (const QList<QVariant>& each : chosen) steps << each.first().toInt();
        QCOMPARE(steps, (QList<int>{3, 2, 1, 1, 2, 0}));
        QCOMPARE(strip.valueText(), QString());
    }
};

QTEST_MAIN(TestFilmStrip)
#include "test_film_strip.moc"
