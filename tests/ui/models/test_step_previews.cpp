#include <QtTest>

#include "ui/models/step_previews.h"

using namespace kinescope::ui;

namespace {

QImage picture(QSize size, QColor color) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(color);
    return image;
}

}  // namespace

class TestStepPreviews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsOnePictureOfEachStep() {
        StepPreviews previews;
        QVERIFY(!previews.at(1));
        for (const int step : {1, 2, 4}) previews.add(step, picture({12, 8}, Qt::red));
        previews.add(2, picture({12, 8}, Qt::blue));  // repeated by the guard
        previews.add(5, {});
        QCOMPARE(previews.all().size(), 3);
        QCOMPARE(previews.at(2)->picture.pixelColor(0, 0), QColor(Qt::blue));
        QCOMPARE(previews.at(3)->step, 2);
        QCOMPARE(previews.at(9)->step, 4);
        previews.clear();
        QVERIFY(!previews.at(9));
    }

    void largePicturesAreScaled() {
        StepPreviews previews;
        previews.add(1, picture({1280, 640}, Qt::red));
        QCOMPARE(previews.at(1)->picture.size(), QSize(320, 160));
    }

    void manyStepsStayWithinTheLimit() {
        StepPreviews previews;
        for (int step = 1; step <= 1000; ++step) {
            previews.add(step, picture({320, 320}, Qt::red));
            QVERIFY(previews.bytes() <= StepPreviews::kMostBytes);
        }
        QVERIFY(previews.all().size() > 30);
        QCOMPARE(previews.all().constFirst().step, 1);
        QCOMPARE(previews.all().constLast().step, 1000);
    }
};

QTEST_MAIN(TestStepPreviews)
#include "test_step_previews.moc"
