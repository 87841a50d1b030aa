#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QtTest>

#include "ui/models/history_model.h"
#include "ui/panels/history_delegate.h"
#include "ui/panels/thumbnail_painting.h"
#include "ui/widgets/theme.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

QImage pictureOf(QSize size, Qt::GlobalColor color) {
    QImage picture(size, QImage::Format_RGB32);
    picture.fill(color);
    return picture;
}

/// Returns the smallest rectangle with all pixels of another color, down to `bottom`.
QRect paintedArea(const QImage& canvas, const QColor& ground, int bottom) {
    QRect area;
    for (int y = 0; y < bottom; ++y)
        for (int x = 0; x < canvas.width(); ++x)
            if (canvas.pixelColor(x, y) != ground) area |= QRect(x, y, 1, 1);
    return area;
}

}  // namespace

class TestThumbnails : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPictureIsPaintedInTheCenter_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<Qt::AspectRatioMode>("fit");
        QTest::addColumn<QRectF>("painted");
        QTest::newRow("upright") << QSize(50, 100) << Qt::KeepAspectRatio << QRectF(75, 0, 50, 100);
        QTest::newRow("wide") << QSize(80, 20) << Qt::KeepAspectRatio << QRectF(0, 25, 200, 50);
        QTest::newRow("cropped") << QSize(50, 100) << Qt::KeepAspectRatioByExpanding << QRectF(0, 0, 200, 100);
        QTest::newRow("unknown") << QSize() << Qt::KeepAspectRatio << QRectF(0, 0, 200, 100);
    }
    void aPictureIsPaintedInTheCenter() {
        QFETCH(QSize, size);
        QFETCH(Qt::AspectRatioMode, fit);
        QFETCH(QRectF, painted);
        Theme theme;
        QImage canvas = pictureOf({200, 100}, Qt::blue);
        QPainter painter(&canvas);
        const Thumbnail thumbnail{.image = pictureOf(size, Qt::red), .radius = 0, .fit = fit};
        QCOMPARE(paintThumbnail(painter, theme, QRectF(0, 0, 200, 100), thumbnail), painted);
        painter.end();
        QCOMPARE(paintedArea(canvas, Qt::blue, canvas.height()), painted.toRect());
    }

    /// The ground around the picture may be as bright as the symbols.
    void badgesAreOnThePicture() {
        Theme theme;
        QListView view;
        HistoryDelegate delegate(theme, view);
        QStandardItemModel model(1, 1);
        const QModelIndex index = model.index(0, 0);
        model.setData(index, QVariant::fromValue(QList<QImage>{pictureOf({200, 200}, Qt::red)}),
                      HistoryModel::FramesRole);
        model.setData(index, QVariant::fromValue(HistoryBadge::completed), HistoryModel::BadgeRole);
        model.setData(index, true, HistoryModel::FavoriteRole);
        model.setData(index, 2.5, HistoryModel::LengthRole);
        QStyleOptionViewItem option;
        option.rect = QRect(QPoint(), delegate.sizeHint(option, index));
        QImage canvas = pictureOf(option.rect.size(), Qt::white);
        QPainter painter(&canvas);
        delegate.paint(&painter, option, index);
        painter.end();
        const QRect picture = paintedArea(canvas, Qt::white, 122);  // above the texts
        QCOMPARE(picture.size(), QSize(116, 116));
        const auto isRed = [&](QPoint place) { return canvas.pixelColor(place) == QColor(Qt::red); };
        QVERIFY(isRed(picture.center()));
        QVERIFY(!isRed(picture.bottomLeft() + QPoint(16, -8)));
        QVERIFY(!isRed(picture.bottomRight() + QPoint(-16, -8)));
        QVERIFY(!isRed(picture.topRight() + QPoint(-16, 8)));
        QVERIFY(isRed(picture.topLeft() + QPoint(16, 8)));
    }
};

QTEST_MAIN(TestThumbnails)
#include "test_thumbnails.moc"
