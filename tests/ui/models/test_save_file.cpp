#include <QImage>
#include <QtTest>

#include "tests/support/file_bytes.h"
#include "ui/models/save_file.h"

using namespace kinescope::ui;
using kinescope::testing::bytes_of;

class TestSaveFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileIsCopiedOverAnother() {
        const QTemporaryDir folder;
        const QString from = folder.filePath("from.jsonl"), to = folder.filePath("to.jsonl");
        const QByteArray content(3'000'000, 'a');
        QCOMPARE(saveFile(from, content), QString());
        QCOMPARE(saveFile(to, "old"), QString());
        QCOMPARE(copyFile(from, to), QString());
        QCOMPARE(bytes_of(to), content);
    }

    void aFailedCopyKeepsTheTarget_data() {
        QTest::addColumn<QString>("from");
        QTest::newRow("no file") << "/nonexistent/log.jsonl";
        QTest::newRow("cannot be read") << "/proc/self/mem";  // opens, but no process has an address 0
    }

    void aFailedCopyKeepsTheTarget() {
        QFETCH(QString, from);
        const QTemporaryDir folder;
        const QString to = folder.filePath("to.jsonl");
        QCOMPARE(saveFile(to, "old"), QString());
        QVERIFY(!copyFile(from, to).isEmpty());
        QCOMPARE(bytes_of(to), QByteArray("old"));
    }

    void aPictureIsSavedAsAWhole() {
        const QTemporaryDir folder;
        const QString to = folder.filePath("frame.png");
        QImage picture(8, 4, QImage::Format_RGB32);
        picture.fill(Qt::red);
        QCOMPARE(savePng(to, picture), QString());
        QVERIFY(!savePng(to, QImage()).isEmpty());
        QCOMPARE(QImage(to).size(), QSize(8, 4));
        QVERIFY(!savePng(folder.filePath("missing/frame.png"), picture).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestSaveFile)
#include "test_save_file.moc"
