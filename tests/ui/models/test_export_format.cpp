#include <QtTest>

#include "ui/models/export_format.h"
#include "ui/models/output_format.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestExportFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCopyComesFirst() {
        QCOMPARE(exportFormats("/v/a.mp4"),
                 QStringList({"original", "h264", "h265", "prores", "webm", "mkv", "png", "gif"}));
        QCOMPARE(exportFormatName("original", "/v/a.mp4"), QStringLiteral("Original (MP4)"));
        QCOMPARE(exportFormatName("png", "/v/a.mp4"), QStringLiteral("PNG images"));
        const QTemporaryDir frames;
        QVERIFY(!exportFormats(frames.path()).contains(QLatin1String(kOriginalFormat)));
    }

    void everyFormatHasItsDescription() {
        QSet<QString> notes;
        for (const OutputFormat& format : kOutputFormats) notes << formatNote(format);
        QVERIFY(!notes.contains(QString()));
        QCOMPARE(notes.size(), static_cast<qsizetype>(kOutputFormats.size()));
        QVERIFY(formatNote(outputFormat("gif")).contains("256"));
    }

    void anExtensionSelectsTheFormat_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::newRow("gif") << "/v/out.gif"
                             << "original"
                             << "gif";
        QTest::newRow("capitals") << "/v/out.WebM"
                                  << "h264"
                                  << "webm";
        QTest::newRow("the same extension keeps the codec") << "/v/out.mp4"
                                                            << "h265"
                                                            << "h265";
        QTest::newRow("the original again") << "/v/out.mp4"
                                            << "gif"
                                            << "original";
        QTest::newRow("unknown") << "/v/take 1.5"
                                 << "gif"
                                 << "gif";
        QTest::newRow("none") << "/v/out"
                              << "webm"
                              << "webm";
    }
    void anExtensionSelectsTheFormat() {
        QFETCH(QString, name);
        QFETCH(QString, before);
        QTEST(formatOfName(name, before, "/v/a.mp4"), "after");
    }

    void aFormatGivesTheExtension() {
        QCOMPARE(nameInFormat("/v/out.mp4", "gif", "/v/a.mp4"), QStringLiteral("/v/out.gif"));
        QCOMPARE(nameInFormat("/v/take 1.5", "webm", "/v/a.mp4"), QStringLiteral("/v/take 1.5.webm"));
        QCOMPARE(nameInFormat("/v/out.gif", "png", "/v/a.mp4"), QStringLiteral("/v/out"));
        QCOMPARE(nameInFormat("/v/out.gif", "original", "/v/a.mkv"), QStringLiteral("/v/out.mkv"));
        QVERIFY(exportFilter("gif", "/v/a.mp4").startsWith("GIF (*.gif);;Original (MP4) (*.mp4)"));
    }

    void aProposedNameIsFree() {
        const QTemporaryDir folder;
        QCOMPARE(freeExportName(folder.path(), "gif", "/v/a.mp4"), folder.filePath("a.gif"));
        QVERIFY(QFile(folder.filePath("a.gif")).open(QIODevice::WriteOnly));
        QCOMPARE(freeExportName(folder.path(), "gif", "/v/a.mp4"), folder.filePath("a-2.gif"));
        QCOMPARE(freeExportName(folder.path(), "png", "/v/a.mp4"), folder.filePath("a"));
    }

    void aRequestSaysHowToEncode() {
        ExportChoice choice{.video = "/v/a.mp4", .format = "original", .target = "/v/b.mp4", .crf = 20};
        ExportRequest request = exportRequest(choice);
        QVERIFY(request.output.codec.empty() && !request.output.crf);
        choice.format = "h264";
        request = exportRequest(choice);
        QCOMPARE(request.output.codec, std::string("libx264"));  // without a codec, the file would be copied
        QCOMPARE(*request.output.crf, 20);
        choice.crf.reset();
        QCOMPARE(*exportRequest(choice).output.crf, outputFormat("h264").crf);
        choice.format = "prores";
        request = exportRequest(choice);
        QCOMPARE(request.output.codec, std::string("prores_ks"));
        QVERIFY(!request.output.crf);
        choice.format = "gif";
        choice.settings = SettingsInFile::left_out;
        choice.overwrite = OverwriteMode::overwrite;
        request = exportRequest(choice);
        QVERIFY(request.output.codec.empty());
        QCOMPARE(request.output.settings, SettingsInFile::left_out);
        QCOMPARE(request.output.overwrite, OverwriteMode::overwrite);
        QCOMPARE(request.output.file, std::filesystem::path("/v/b.mp4"));
    }
};

QTEST_GUILESS_MAIN(TestExportFormat)
#include "test_export_format.moc"
