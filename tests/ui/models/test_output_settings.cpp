#include <QtTest>

#include "core/api/guard_mode_names.h"
#include "tests/support/fake_engine.h"
#include "ui/models/output_format.h"
#include "ui/models/output_name.h"
#include "ui/models/preferences.h"
#include "ui/models/request_model.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

QString name(const std::filesystem::path& path) {
    return QFileInfo(QString::fromStdU16String(path.u16string())).fileName();
}

}  // namespace

/// Tests how the preference pages Output, Performance and Guard change a request.
class TestOutputSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMissingVideoFolderFallsBackToVideos_data() {
        QTest::addColumn<QByteArray>("userDirs");
        QTest::addColumn<QString>("folder");
        QTest::newRow("no folder configured") << QByteArray() << "Videos/Kinescope";
        QTest::newRow("missing folder") << QByteArray("XDG_VIDEOS_DIR=\"$HOME/files\"\n") << "Videos/Kinescope";
        QTest::newRow("home folder") << QByteArray("XDG_VIDEOS_DIR=\"$HOME/\"\n") << "Videos/Kinescope";
        QTest::newRow("existing folder") << QByteArray("XDG_VIDEOS_DIR=\"$HOME/Filme\"\n") << "Filme/Kinescope";
    }

    void aMissingVideoFolderFallsBackToVideos() {
        QFETCH(QByteArray, userDirs);
        QFETCH(QString, folder);
        const QTemporaryDir home;
        const QByteArray before[] = {qgetenv("HOME"), qgetenv("XDG_CONFIG_HOME")};
        QVERIFY(QDir(home.path()).mkpath("config") && QDir(home.path()).mkdir("Filme"));
        QFile file(home.filePath("config/user-dirs.dirs"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(userDirs);
        file.close();
        qputenv("HOME", QFile::encodeName(home.path()));
        qputenv("XDG_CONFIG_HOME", QFile::encodeName(home.filePath("config")));
        const QString found = Preferences::defaultOutputFolder();
        qputenv("HOME", before[0]);
        before[1].isNull() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", before[1]);
        QCOMPARE(found, home.filePath(folder));
    }

    void patterns_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("name");
        QTest::newRow("every token") << "{date} {time} {prompt:9} {seed} {model} {width}x{height} {frames} {n}"
                                     << "2026-03-01 142233 a-red 7 wan-2-1 832x480 81 3";
        QTest::newRow("invalid characters") << "a/b\\c:{seed}?*"
                                            << "a-b-c-7";
        QTest::newRow("parent folder") << "../../{seed}"
                                       << "7";
        QTest::newRow("empty pattern") << ""
                                       << "7";
        QTest::newRow("unknown token") << "{what}-{seed}"
                                       << "{what}-7";
        QTest::newRow("braces in a value") << "{prompt}"
                                           << "a-red-ball-date";
    }

    void patterns() {
        QFETCH(QString, pattern);
        QFETCH(QString, name);
        const OutputNameParts parts{.date = QDate(2026, 3, 1),
                                    .prompt = "A red ball {date}",
                                    .seed = 7,
                                    .time = QTime(14, 22, 33),
                                    .model = "Wan 2.1",
                                    .size = {832, 480},
                                    .frames = 81,
                                    .number = 3};
        QCOMPARE(outputName(parts, pattern), name);
    }

    void longNamesAreShortened() {
        const QString longest = outputName({QDate(2026, 3, 1), QString(400, 'a'), 7}, "{prompt:999}{prompt:999}");
        QVERIFY(longest.size() <= 200);
        QVERIFY(!longest.isEmpty());
    }

    void unknownTokensAreListed() {
        QCOMPARE(unknownTokens("{date}-{prompt:32}-{what}-{Seed}"), (QStringList{"{what}", "{Seed}"}));
        for (const QString& token : nameTokens()) QVERIFY2(unknownTokens(token).isEmpty(), qPrintable(token));
    }

    void preferencesChangeTheRequest_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QString>("codec");
        QTest::addColumn<int>("crf");
        QTest::newRow("H.264") << "h264"
                               << ".mp4"
                               << "" << 11;
        QTest::newRow("H.265") << "h265"
                               << ".mp4"
                               << "libx265" << 11;
        QTest::newRow("ProRes has no CRF") << "prores"
                                           << ".mov"
                                           << "prores_ks" << -1;
        QTest::newRow("WebM") << "webm"
                              << ".webm"
                              << "libvpx-vp9" << 11;
        QTest::newRow("a folder of frames") << "png"
                                            << ""
                                            << "" << -1;
        QTest::newRow("GIF") << "gif"
                             << ".gif"
                             << "" << -1;
        QTest::newRow("unknown format") << "theora"
                                        << ".mp4"
                                        << "" << 11;
    }

    void preferencesChangeTheRequest() {
        QFETCH(QString, format);
        QFETCH(QString, ending);
        QTemporaryDir folder;
        QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
        Preferences preferences(settings);
        preferences.set(setting::kFormat, format);
        preferences.set(setting::kCrf, 11);
        preferences.set(setting::kFileName, "v-{seed}");
        preferences.set(setting::kNumericLog, false);
        preferences.set(setting::kNumericCsv, true);
        preferences.set(setting::kSettingsInFile, false);
        preferences.set(setting::kThreads, 3);
        preferences.set(setting::kDevice, "cpu");
        preferences.set(setting::kGuard, "observe");
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
        });
        RequestModel model(bridge);
        model.edit([](VideoRequest& request) { request.seed = 5; });
        model.setRules(preferences.rules());
        const VideoRequest request = model.forRun(folder.path());
        QCOMPARE(name(request.output.file), QString("v-5" + ending));
        QTEST(QString::fromStdString(request.output.codec), "codec");
        QTEST(request.output.crf.value_or(-1), "crf");
        QVERIFY(request.output.numeric_log.empty());
        QCOMPARE(name(request.output.numeric_csv), QString("v-5.csv"));
        QVERIFY(request.output.settings == SettingsInFile::left_out);
        QCOMPARE(request.threads, std::optional(3));
        QCOMPARE(request.device, std::string("cpu"));
        QVERIFY(request.guard == GuardMode::observe);
        model.resetToDefaults();
        QCOMPARE(model.request().threads, std::optional(3));
    }

    void everyGuardModeHasASetting() {
        QTemporaryDir folder;
        QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
        Preferences preferences(settings);
        QCOMPARE(preferences.rules().guard, GuardMode::heal);
        for (const auto& [mode, name] : kGuardModes) {
            preferences.set(setting::kGuard, QString::fromLatin1(name));
            QCOMPARE(preferences.rules().guard, mode);
        }
        preferences.set(setting::kGuard, "a mode of tomorrow");
        QCOMPARE(preferences.rules().guard, GuardMode::heal);
    }

    /// The quality in the preferences may be set for another format, and that of the request be of opened settings.
    void theQualityIsOneOfTheFormat_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<int>("crf");
        QTest::newRow("webm") << "webm" << 60;
        QTest::newRow("h265") << "h265" << 51;
        QTest::newRow("gif") << "gif" << -1;
    }

    void theQualityIsOneOfTheFormat() {
        QFETCH(QString, format);
        QTemporaryDir folder;
        QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
        Preferences preferences(settings);
        preferences.set(setting::kFormat, format);
        preferences.set(setting::kCrf, 60);
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
        });
        RequestModel model(bridge);
        model.edit([](VideoRequest& request) { request.output.crf = 30; });
        model.setRules(preferences.rules());
        QTEST(model.forRun(folder.path()).output.crf.value_or(-1), "crf");
    }

    void patternsCanContainACounter() {
        QTemporaryDir folder;
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
        });
        RequestModel model(bridge);
        RequestRules rules;
        rules.fileName = "clip {n}";
        model.setRules(rules);
        QCOMPARE(name(model.forRun(folder.path()).output.file), QString("clip 1.mp4"));
        QVERIFY(QFile(folder.filePath("clip 1.mp4")).open(QIODevice::WriteOnly));
        QCOMPARE(name(model.forRun(folder.path()).output.file), QString("clip 2.mp4"));
    }

    void storedSettingsAreConvertedOrIgnored() {
        QTemporaryDir folder;
        QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
        settings.setValue(setting::kTextPercent, "120");
        settings.setValue(setting::kNotify, "false");
        settings.setValue(setting::kThreads, "many");
        const Preferences preferences(settings);
        QCOMPARE(preferences.textPercent(), 120);
        QVERIFY(!preferences.notifyWhenDone());
        QVERIFY(!preferences.rules().threads);
        QVERIFY(preferences.keepAwake());
    }
};

QTEST_GUILESS_MAIN(TestOutputSettings)
#include "test_output_settings.moc"
