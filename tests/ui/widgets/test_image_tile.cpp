#include <QtTest>

#include <QClipboard>
#include <QFile>
#include <QMimeData>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QToolTip>

#include <sys/stat.h>

#include "ui/widgets/image_tile.h"
#include "ui/widgets/theme.h"

using namespace kinescope::ui;

namespace {

const QString kFile = QStringLiteral("wide.png");

QImage redPicture(const QSize& size) {
    QImage picture(size, QImage::Format_RGB32);
    picture.fill(Qt::red);
    return picture;
}

}  // namespace

class TestImageTile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePartOfAPictureThatIsUsedIsFramed_data() {
        QTest::addColumn<Theme::Mode>("mode");
        QTest::addColumn<QSize>("picture");
        QTest::addColumn<QSize>("video");
        QTest::addColumn<QPoint>("cutOff");  ///< a point that is dimmed; null: the picture fills the tile
        for (const Theme::Mode mode : {Theme::Mode::dark, Theme::Mode::light}) {
            const char* name = mode == Theme::Mode::dark ? "dark" : "light";
            QTest::addRow("%s, cut at the sides", name) << mode << QSize(200, 100) << QSize(480, 480) << QPoint(12, 48);
            QTest::addRow("%s, cut above", name) << mode << QSize(100, 200) << QSize(480, 480) << QPoint(48, 12);
            QTest::addRow("%s, same shape", name) << mode << QSize(200, 100) << QSize(960, 480) << QPoint();
            QTest::addRow("%s, nearly the same shape", name) << mode << QSize(192, 96) << QSize(962, 480) << QPoint();
            QTest::addRow("%s, not cropped", name) << mode << QSize(200, 100) << QSize() << QPoint();
        }
    }

    void thePartOfAPictureThatIsUsedIsFramed() {
        QFETCH(Theme::Mode, mode);
        QFETCH(QSize, picture);
        QFETCH(QSize, video);
        QFETCH(QPoint, cutOff);
        Theme theme;
        theme.setMode(mode);
        ImageTile tile(theme, QStringLiteral("Choose or drop"));
        tile.resize(tile.sizeHint());
        tile.setFile(kFile);
        tile.setThumbnail(kFile, redPicture(picture));
        tile.setCropSize(video);
        const QImage shown = tile.grab().toImage();
        const QColor red(Qt::red);
        QCOMPARE(shown.pixelColor(48, 48), red);
        if (cutOff.isNull()) {
            for (const QPoint& edge : {QPoint(12, 48), QPoint(48, 12), QPoint(84, 48), QPoint(48, 84)})
                QCOMPARE(shown.pixelColor(edge), red);
            return;
        }
        const QColor dimmed = shown.pixelColor(cutOff);
        QVERIFY(dimmed != red && dimmed != theme.color(ColorRole::raised));
        QCOMPARE(shown.pixelColor(QPoint(96, 96) - cutOff), dimmed);
        QCOMPARE(shown.pixelColor(cutOff.transposed()), theme.color(ColorRole::raised));  // no part of the picture
    }

    void theClipboardIsPasted_data() {
        QTest::addColumn<QString>("content");
        QTest::addColumn<bool>("takesPictures");
        QTest::addColumn<int>("files");
        QTest::addColumn<int>("pictures");
        QTest::addColumn<QString>("sentence");
        const QString neither = QStringLiteral("The clipboard contains neither a file nor an image.");
        QTest::newRow("file") << "file" << true << 1 << 0 << QString();
        QTest::newRow("file, no pictures") << "file" << false << 1 << 0 << QString();
        QTest::newRow("file and its picture") << "both" << true << 1 << 0 << QString();
        QTest::newRow("picture") << "picture" << true << 0 << 1 << QString();
        QTest::newRow("picture, not taken")
            << "picture" << false << 0 << 0 << QStringLiteral("The clipboard contains no file.");
        QTest::newRow("text") << "text" << true << 0 << 0 << neither;
        QTest::newRow("missing file") << "missing" << true << 0 << 0 << neither;
    }

    void theClipboardIsPasted() {
        QFETCH(QString, content);
        QFETCH(bool, takesPictures);
        QFETCH(QString, sentence);
        QTemporaryDir folder;
        const QString file = folder.filePath(kFile);
        QVERIFY(redPicture({8, 4}).save(file));
        if (content == QLatin1String("missing")) QVERIFY(QFile::remove(file));
        auto* data = new QMimeData;  // owned by the clipboard
        if (content == QLatin1String("text")) {
            data->setText(QStringLiteral("a red ball"));
        } else {
            if (content != QLatin1String("picture")) data->setUrls({QUrl::fromLocalFile(file)});
            if (content == QLatin1String("picture") || content == QLatin1String("both"))
                data->setImageData(redPicture({8, 4}));
        }
        QGuiApplication::clipboard()->setMimeData(data);
        Theme theme;
        ImageTile tile(theme, QStringLiteral("Choose or drop"));
        tile.setTakesPictures(takesPictures);
        tile.show();
        QVERIFY(QTest::qWaitForWindowActive(&tile));
        QToolTip::hideText();
        QTRY_VERIFY(!QToolTip::isVisible());
        QSignalSpy files(&tile, &ImageTile::fileGiven);
        QSignalSpy pictures(&tile, &ImageTile::pictureGiven);
        QTest::keySequence(&tile, QKeySequence(QKeySequence::Paste));
        QTEST(static_cast<int>(files.size()), "files");
        QTEST(static_cast<int>(pictures.size()), "pictures");
        if (!files.isEmpty()) QCOMPARE(files.front().front().toString(), file);
        if (!pictures.isEmpty()) QCOMPARE(pictures.front().front().value<QImage>().size(), QSize(8, 4));
        QTRY_COMPARE(QToolTip::isVisible() ? QToolTip::text() : QString(), sentence);
    }

    /// The settings of a foreign video can name one. Its reader would wait for ever, and so would the end of the
    /// program.
    void aPipeIsNotRead() {
        const QTemporaryDir folder;
        QFile pipe(folder.filePath("pipe.png"));
        QCOMPARE(::mkfifo(pipe.fileName().toUtf8(), 0600), 0);
        Theme theme;
        ImageTile tile(theme, QStringLiteral("Choose or drop"));
        tile.setFile(pipe.fileName());
        const bool isFree = QThreadPool::globalInstance()->waitForDone(5'000);
        if (!isFree) QVERIFY(pipe.open(QIODevice::WriteOnly));  // lets the thread go on
        QVERIFY(isFree);
    }
};

QTEST_MAIN(TestImageTile)
#include "test_image_tile.moc"
