#include <ATen/ATen.h>

#include <QtTest>

#include "core/pipeline/input_image.h"
#include "core/pipeline/input_video.h"

using namespace kinescope;

namespace {

/// Returns a picture whose red channel holds the column and whose green channel holds the row.
Tensor numbered_picture(int width, int height) {
    const Tensor columns = at::arange(width, at::kByte).view({1, width}).expand({height, width});
    const Tensor rows = at::arange(height, at::kByte).view({height, 1}).expand({height, width});
    return at::stack({columns, rows, at::zeros({height, width}, at::kByte)}, 2).contiguous();
}

}  // namespace

class TestInputImage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_picture_is_cropped_in_its_middle_data() {
        QTest::addColumn<QSize>("picture");
        QTest::addColumn<QSize>("video");
        QTest::addColumn<QRect>("kept");
        QTest::newRow("same") << QSize(60, 40) << QSize(120, 80) << QRect(0, 0, 60, 40);
        QTest::newRow("wider") << QSize(100, 40) << QSize(96, 64) << QRect(20, 0, 60, 40);
        QTest::newRow("higher") << QSize(60, 100) << QSize(96, 64) << QRect(0, 30, 60, 40);
        QTest::newRow("upright video") << QSize(90, 60) << QSize(48, 96) << QRect(30, 0, 30, 60);
        QTest::newRow("rounded") << QSize(55, 40) << QSize(100, 75) << QRect(1, 0, 53, 40);
        QTest::newRow("a line") << QSize(200, 1) << QSize(64, 96) << QRect(99, 0, 1, 1);
    }
    void a_picture_is_cropped_in_its_middle() {
        QFETCH(QSize, picture);
        QFETCH(QSize, video);
        QFETCH(QRect, kept);
        const Tensor whole = numbered_picture(picture.width(), picture.height());
        const Size size{video.width(), video.height()};
        const Tensor cropped = fitted_picture(whole, ImageFit::crop, size);
        QVERIFY(cropped.is_contiguous());
        QCOMPARE(cropped.size(0), kept.height());
        QCOMPARE(cropped.size(1), kept.width());
        QCOMPARE(cropped[0][0][0].item<int>(), kept.x());
        QCOMPARE(cropped[0][0][1].item<int>(), kept.y());
        QVERIFY(fitted_picture(whole, ImageFit::stretch, size).is_same(whole));
        int seen = 0;
        fitted_frames(one_frame(whole), ImageFit::crop, size)(
            1, [&](const Tensor& frame) { seen += static_cast<int>(frame.equal(cropped)); });
        QCOMPARE(seen, 1);
    }

    void no_picture_stays_none() {
        QVERIFY(!fitted_picture({}, ImageFit::crop, {64, 64}).defined());
        QVERIFY(!fitted_frames({}, ImageFit::crop, {64, 64}));
    }
};

QTEST_GUILESS_MAIN(TestInputImage)
#include "test_input_image.moc"
