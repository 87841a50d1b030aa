#include <QtTest>

#include <sys/stat.h>

#include <QComboBox>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <fstream>
#include <future>
#include <limits>

#include "tests/support/chinese.h"
#include "tests/support/window_fixture.h"
#include "ui/models/log_folder.h"
#include "ui/models/preset_model.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/numbers_panel.h"
#include "ui/text/words.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/section.h"
#include "ui/windows/library_page.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/queue_end.h"
#include "ui/windows/run_tray.h"

using namespace kinescope;
using namespace kinescope::ui;
using testing::WindowFixture;

namespace {

NoticeStrip& strip(WindowFixture& fixture) {
    return *fixture.find<NoticeStrip>("noticeStrip");
}

Notice note(NoticeTopic topic, const char* lead) {
    return {topic, Severity::warning, QString::fromLatin1(lead), {}, {}, {}};
}

}  // namespace

/// Notices, opened files, the end of the queue, and imported jobs.
class TestControllers : public QObject {
    Q_OBJECT

    static QString requestFile(const WindowFixture& fixture, const QByteArray& request) {
        QFile file(fixture.folder.filePath("one.json"));
        if (file.open(QIODevice::WriteOnly)) file.write(request);
        return file.fileName();
    }

    static void openRequest(WindowFixture& fixture, const QByteArray& request) {
        QVERIFY(fixture.isReady());
        fixture.window->open(requestFile(fixture, request));
        QTRY_COMPARE(fixture.window->request().request().prompt, std::string("A blue cube"));
        QTRY_VERIFY(fixture.window->request().plan().has_value());
    }

    static void importLine(WindowFixture& fixture, QByteArray request) {
        QFile file(fixture.folder.filePath("one.jsonl"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(request.replace('\n', ' ') + '\n');
        file.close();
        fixture.window->open(file.fileName());
    }

    /// Lets the queue end while the library is shown.
    static bool endsWithClosing(WindowFixture& fixture) {
        if (!fixture.isReady()) return false;
        Preferences(fixture.settings).set(setting::kWhenQueueDone, "close");
        fixture.action("actionGenerate")->trigger();
        fixture.find<NavRail>("navigationRail")->setCurrentIndex(1);
        return QTest::qWaitFor([&fixture] { return fixture.window->queueEnd().isClosing(); }, 10'000);
    }
    static QTimer& timerOf(WindowFixture& fixture) { return *fixture.window->queueEnd().findChild<QTimer*>(); }

private Q_SLOTS:
    void noticesAreClearedByTopic() {
        Theme theme;
        NoticeStrip strip(theme);
        NoticeBoard board(strip);
        board.setStanding(note(NoticeTopic::demo, "stands"));
        QVERIFY(strip.accessibleName().startsWith("stands"));
        board.show(note(NoticeTopic::model, "broken"));
        board.clear(NoticeTopic::queue);
        QVERIFY(strip.accessibleName().startsWith("broken"));
        board.clear(NoticeTopic::model);
        QVERIFY(strip.accessibleName().startsWith("stands"));
        board.show(note(NoticeTopic::file, "late"));
        board.setStanding({});
        QVERIFY(strip.accessibleName().startsWith("late"));
        Q_EMIT strip.dismissed();
        QVERIFY(!board.shown());
    }

    void aKeptNoticeComesBack() {
        Theme theme;
        NoticeStrip strip(theme);
        NoticeBoard board(strip);
        auto* timer = board.findChild<QTimer*>();
        timer->setInterval(0);
        const auto shows = [&strip](const char* lead) {
            return strip.accessibleName().startsWith(QLatin1String(lead));
        };
        board.setStanding(note(NoticeTopic::demo, "stands"));
        board.keep(NoticeTopic::quitting, [] { return note(NoticeTopic::quitting, "closes"); });
        QVERIFY(shows("closes"));
        board.show(note(NoticeTopic::queue, "added"));
        QVERIFY(shows("added"));
        QTRY_VERIFY(shows("closes"));
        board.show(note(NoticeTopic::queue, "added"));
        board.clear(NoticeTopic::queue);
        QVERIFY(shows("closes"));
        board.clearAll();
        QVERIFY(shows("closes"));
        QSignalSpy dismissed(&board, &NoticeBoard::dismissed);
        Q_EMIT strip.dismissed();
        QCOMPARE(dismissed.count(), 1);
        QVERIFY(shows("stands"));
        board.show(note(NoticeTopic::queue, "added"));
        QVERIFY2(!timer->isActive(), "a warning stays");
    }

    /// Its action, or the end of what it is about, may be needed later.
    void aNoticeThatHidesWaitingJobsStays() {
        Theme theme;
        NoticeStrip strip(theme);
        NoticeBoard board(strip);
        board.keep(NoticeTopic::waiting, [] { return note(NoticeTopic::waiting, "wait"); });
        board.show(note(NoticeTopic::editing, "editing"));
        QVERIFY(!board.findChild<QTimer*>()->isActive());
        QVERIFY(strip.accessibleName().startsWith("editing"));
        board.clear(NoticeTopic::editing);
        QVERIFY(strip.accessibleName().startsWith("wait"));
    }

    void everyKeptNoticeComesBack() {
        Theme theme;
        NoticeStrip strip(theme);
        NoticeBoard board(strip);
        board.keep(NoticeTopic::quitting, [] { return note(NoticeTopic::quitting, "closes"); });
        board.keep(NoticeTopic::waiting, [] { return note(NoticeTopic::waiting, "wait"); });
        QVERIFY(strip.accessibleName().startsWith("closes"));
        board.clear(NoticeTopic::quitting);
        QVERIFY(strip.accessibleName().startsWith("wait"));
        Q_EMIT strip.dismissed();
        QVERIFY(!board.shown());
    }

    void aNoticesActionMayShowAnotherNotice() {
        Theme theme;
        NoticeStrip strip(theme);
        NoticeBoard board(strip);
        Notice notice = note(NoticeTopic::queue, "first");
        notice.action = "go";
        notice.call = [&] { board.show(note(NoticeTopic::queue, "second")); };
        board.show(notice);
        Q_EMIT strip.actionTriggered();
        QVERIFY(strip.accessibleName().startsWith("second"));
    }

    void theFormShowsTheSeedOfTheLastVideo() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const auto first = fixture.window->run().facts().request.seed;
        QCOMPARE(fixture.window->request().request().seed, first);
        fixture.action("actionGenerate")->trigger();
        QTRY_VERIFY(fixture.window->run().facts().request.seed != first);
        QVERIFY(fixture.reaches(RunState::done));
        QCOMPARE(fixture.window->request().request().seed, fixture.window->run().facts().request.seed);
    }

    void aTruncatedModelIsRefused() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->open("/models/cogvideox_5b.safetensors");  // refused immediately; the previous model stays
        QTRY_VERIFY(strip(fixture).accessibleName().startsWith("The model file is truncated."));
        QCOMPARE(fixture.window->request().card().id, std::string("builtin"));
        QCOMPARE(fixture.find<QComboBox>("modelCombo")->currentData().toString(), QStringLiteral("builtin"));
        fixture.window->open("/models/cogvideox_2b.safetensors");  // refused by its plan
        QTRY_COMPARE(fixture.window->request().card().id, std::string("/models/cogvideox_2b.safetensors"));
        QTRY_VERIFY(strip(fixture).accessibleName().startsWith("The model file is truncated."));
        QVERIFY(!fixture.find<QPushButton>("generateButton")->isEnabled());
        fixture.window->request().chooseModel("builtin");
        QTRY_VERIFY(fixture.find<QPushButton>("generateButton")->isEnabled());
        QVERIFY(!strip(fixture).accessibleName().startsWith("The model file is truncated."));
    }

    void aFrameIsSavedInTheFormatOfItsExtension() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        fixture.saveName = fixture.folder.filePath("still");
        fixture.action("actionSaveFrame")->trigger();
        QTRY_VERIFY(strip(fixture).accessibleName().contains("still.png"));
        QVERIFY(!QImage(fixture.folder.filePath("still.png")).isNull());
        fixture.saveName = fixture.folder.filePath("missing/still");
        fixture.action("actionSaveFrame")->trigger();
        QTRY_VERIFY(strip(fixture).accessibleName().contains("Can't save still.png"));
    }

    /// The log may be long. Its conversion must not hold up the window.
    void aNumericLogIsSavedAsATable() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const QString log = pathText(fixture.window->run().facts().request.output.numeric_log);
        QVERIFY(QDir().mkpath(QFileInfo(log).path()));
        QFile file(log);
        QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(log));
        file.write("{\"record\":\"stat\",\"site\":\"blocks.1.ffn\"}\n");
        file.close();
        fixture.saveName = fixture.folder.filePath("numbers.csv");
        Q_EMIT fixture.find<NumbersPanel>("numbersPanel")->exportRequested(NumbersExport::csv);
        QTRY_VERIFY(strip(fixture).accessibleName().contains("numbers.csv"));
        QFile table(fixture.saveName);
        QVERIFY(table.open(QIODevice::ReadOnly));
        QVERIFY(table.readAll().contains("blocks.1.ffn"));
        QVERIFY(QFile::remove(log));
        Q_EMIT fixture.find<NumbersPanel>("numbersPanel")->exportRequested(NumbersExport::csv);
        QTRY_VERIFY(strip(fixture).accessibleName().contains("Can't save numbers.csv"));
    }

    void everySupportedFileIsOpened_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("a preset by its extension")
            << "night.kinescope.json" << QByteArray(R"({"name":"night","request":{"num_inference_steps":9}})");
        QTest::newRow("a preset by its content")
            << "night.json" << QByteArray(R"({"name":"night","request":{"num_inference_steps":9}})");
        QTest::newRow("a request") << "one.json" << QByteArray(R"({"prompt":"A blue cube"})");
        QTest::newRow("requests") << "two.jsonl" << QByteArray("{\"prompt\":\"A blue cube\"}\n");
        QTest::newRow("a model") << "wan.safetensors" << QByteArray("x");
        QTest::newRow("a video") << "made.mp4" << QByteArray("x");
        QTest::newRow("a picture") << "still.png" << QByteArray("x");
    }
    /// The file is opened before the engine is ready, as after a double-click on the file.
    void everySupportedFileIsOpened() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        WindowFixture fixture(testing::healthyRun());
        QFile file(fixture.folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        fixture.window->open(file.fileName());
        RequestModel& form = fixture.window->request();
        const QString kind = QString::fromLatin1(QTest::currentDataTag());
        if (kind.startsWith("a preset")) {
            QTRY_VERIFY(QFile::exists(QDir(PresetModel::folder()).filePath("night.json")));
        } else if (kind == "a request") {
            QTRY_COMPARE(QString::fromStdString(form.request().prompt), QStringLiteral("A blue cube"));
            QVERIFY(strip(fixture).accessibleName().startsWith("Settings restored."));
            QVERIFY2(fixture.bridge->jobs().empty(), "a request was run without being asked to");
        } else if (kind == "requests") {
            QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{1});
            QCOMPARE(fixture.bridge->jobs().front().request.prompt, std::string("A blue cube"));
        } else if (kind == "a model") {
            QTRY_COMPARE(QString::fromStdString(form.request().model), file.fileName());
        } else {
            const char* words = kind == "a video" ? "This video contains no settings." : "No file was opened.";
            QTRY_VERIFY(strip(fixture).accessibleName().startsWith(words));
        }
    }

    void anOutputFolderThatCannotBeExaminedDoesNotEndTheWindow() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        Preferences(fixture.settings).setOutputFolder(fixture.folder.filePath(QString(300, 'a')));
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{1});  // the engine reports the folder
    }

    void aMissingModelIsNamed() {
        WindowFixture fixture(testing::healthyRun());
        openRequest(fixture, R"({"prompt":"A blue cube","model":"/models/cogvideox_5b.safetensors"})");
        QTRY_VERIFY2(strip(fixture).accessibleName().contains("is not available."),
                     qPrintable(strip(fixture).accessibleName()));
    }

    void theComputerOnWhichAModelIsMissingIsNamed() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.settings.setValue("runsOn", "studio");
        fixture.computers->setList({{.computer = {"studio", "ssh studio", {}}, .state = ComputerState::connected}});
        QTRY_COMPARE(fixture.computers->chosen(), std::string("studio"));
        openRequest(fixture, R"({"prompt":"A blue cube","model":"/models/cogvideox_5b.safetensors"})");
        QTRY_VERIFY2(strip(fixture).accessibleName().contains("was not found on “studio”"),
                     qPrintable(strip(fixture).accessibleName()));
    }

    /// Whether it has the model is not known.
    void theComputerThatCannotBeAskedIsNamed() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.settings.setValue("runsOn", "studio");
        fixture.computers->setList({{.computer = {"studio", "ssh studio", {}}, .state = ComputerState::unreachable}});
        QTRY_COMPARE(fixture.computers->chosen(), std::string("studio"));
        QVERIFY(fixture.isReady());
        const VideoRequest before = fixture.window->request().request();
        fixture.window->open(
            requestFile(fixture, R"({"prompt":"A blue cube","num_inference_steps":12,"model":"/models/unreachable"})"));
        QTRY_VERIFY2(strip(fixture).accessibleName().startsWith("Settings not restored. “studio” could not be asked"),
                     qPrintable(strip(fixture).accessibleName()));
        QVERIFY(strip(fixture).accessibleName().contains("The computer can't be found."));
        QVERIFY(fixture.window->request().request() == before);
    }

    void theFinishStepsOfAnOpenedRequestCanBeRemoved() {
        WindowFixture fixture(testing::healthyRun());
        openRequest(fixture, R"({"prompt":"A blue cube","audio":"/music/a.wav","audio_loop":true,
                                 "upscale":"/models/2x.pth","upscale_factor":2})");
        auto* section = fixture.find<ui::Section>("finishSection");
        QVERIFY(section->isVisible());
        QCOMPARE(section->value(), QStringLiteral("Upscaler, Audio"));
        section->setExpanded(true);
        QCOMPARE(fixture.find<ui::ElidedLabel>("audioStepLabel")->fullText(), QStringLiteral("a.wav, repeats"));
        QCOMPARE(fixture.find<ui::ElidedLabel>("upscaleStepLabel")->fullText(), QStringLiteral("2x.pth, size × 2"));
        fixture.find<QToolButton>("upscaleStepRemoveButton")->click();
        const FinishSteps& steps = fixture.window->request().request().finish;
        QVERIFY(steps.upscaler.empty() && !steps.upscale_factor && !steps.audio.file.empty());
        fixture.find<QToolButton>("audioStepRemoveButton")->click();
        QVERIFY(steps.is_empty() && !section->isVisible());
    }

    void theFirstFrameOfAForeignVideoIsUsed() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().chooseModel(testing::kImageModel);
        QTRY_COMPARE(fixture.window->request().card().id, std::string(testing::kImageModel));
        QVERIFY(QFile(fixture.folder.filePath("foreign.mp4")).open(QIODevice::WriteOnly));
        fixture.window->open(fixture.folder.filePath("foreign.mp4"));
        QTRY_VERIFY(strip(fixture).accessibleName().startsWith("This video contains no settings."));
        Q_EMIT strip(fixture).actionTriggered();
        QTRY_VERIFY(fixture.window->request().request().image.has_value());
        QVERIFY(std::filesystem::exists(*fixture.window->request().request().image));
    }

    void aFirstFrameThatCannotBeReadIsExplained() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->request().chooseModel(testing::kImageModel);
        QTRY_COMPARE(fixture.window->request().card().id, std::string(testing::kImageModel));
        QFile video(fixture.folder.filePath("foreign.mp4"));
        QVERIFY(video.open(QIODevice::WriteOnly));
        fixture.window->open(video.fileName());
        QTRY_VERIFY(strip(fixture).accessibleName().startsWith("This video contains no settings."));
        QVERIFY(video.remove());
        Q_EMIT strip(fixture).actionTriggered();
        QTRY_VERIFY2(strip(fixture).accessibleName().startsWith("The first frame can't be read:"),
                     qPrintable(strip(fixture).accessibleName()));
        QVERIFY(!fixture.window->request().request().image);
    }

    void aLoraThatIsOpenedAsAModelIsOffered() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const auto loras = [&] { return fixture.window->request().request().loras; };
        fixture.window->open(QString::fromLatin1(testing::kForeignLora));
        QTRY_VERIFY(strip(fixture).accessibleName().startsWith("This file is a LoRA."));
        Q_EMIT strip(fixture).actionTriggered();
        QCOMPARE(loras().size(), std::size_t{1});
        QTRY_VERIFY(strip(fixture).accessibleName().startsWith("This LoRA is for another model."));
        QVERIFY(!fixture.window->request().canRun());
        Q_EMIT strip(fixture).actionTriggered();
        QVERIFY(loras().empty());
        QTRY_VERIFY(fixture.window->request().canRun());
    }

    void theEndOfTheQueueIsAnnounced() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.find<NavRail>("navigationRail")->setCurrentIndex(1);
        auto* choice = fixture.find<QComboBox>("whenDoneCombo");
        choice->setCurrentIndex(1);
        Q_EMIT choice->activated(1);
        QSignalSpy ended(&fixture.window->queueEnd(), &QueueEnd::ended);
        fixture.find<QSpinBox>("countSpin")->setValue(3);
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 20'000);
        QCOMPARE(ended.front().at(0).toInt(), 3);
        QCOMPARE(ended.front().at(1).toInt(), 0);
    }

    void closingAfterTheQueueCanBeCancelled() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        Preferences(fixture.settings).set(setting::kWhenQueueDone, "close");
        fixture.action("actionGenerate")->trigger();
        QTRY_VERIFY(fixture.window->queueEnd().isClosing());
        QVERIFY(strip(fixture).accessibleName().startsWith("The queue is finished."));
        Q_EMIT strip(fixture).actionTriggered();
        QVERIFY(!fixture.window->queueEnd().isClosing());
        QVERIFY(fixture.window->isVisible());
    }

    void theNoticeAboutClosingIsShownOnEveryPage() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(endsWithClosing(fixture));
        QVERIFY(strip(fixture).isVisible());
        timerOf(fixture).setInterval(0);
        QTRY_VERIFY(!fixture.window->isVisible());
    }

    void anotherNoticeCallsClosingOff() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(endsWithClosing(fixture));
        Q_EMIT fixture.bridge->orderRefused(Error(ErrorCode::disk_full, "full"));
        timerOf(fixture).setInterval(0);
        QTRY_VERIFY(!fixture.window->queueEnd().isClosing());
        QVERIFY(fixture.window->isVisible());
    }

    void aDialogDelaysClosing() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(endsWithClosing(fixture));
        fixture.action("actionExportVideo")->trigger();
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        QSignalSpy ticks(&timerOf(fixture), &QTimer::timeout);
        timerOf(fixture).setInterval(0);
        QTRY_VERIFY(ticks.count() > 60);
        QVERIFY(fixture.window->isVisible());
        dialog->reject();
        QTRY_VERIFY(!fixture.window->isVisible());
    }

    void theTrayShowsTheProgress() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        RunTray tray(fixture.window->run(), *fixture.window);
        QVERIFY(!tray.isShown());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(static_cast<int>(fixture.window->run().facts().progress.stepSeconds.size()), 4);
        QVERIFY(tray.isShown());
        QVERIFY2(tray.statusText().startsWith("Kinescope: "), qPrintable(tray.statusText()));
        QVERIFY2(tray.statusText().contains(" left"), qPrintable(tray.statusText()));
        tray.menu().actions().at(1)->trigger();
        QVERIFY(fixture.reaches(RunState::paused));
        QCOMPARE(tray.statusText(), QStringLiteral("Kinescope: paused"));
        fixture.release();
        tray.menu().actions().at(1)->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        QVERIFY(!tray.isShown());
    }

    void theFileMenuOpensChosenFiles() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        VideoRequest made;
        made.prompt = "A yellow cube";
        fixture.openName = fixture.folder.filePath("video.mp4");
        fixture.engine->keepSettings(fixture.openName.toStdString(), made);
        fixture.action("actionOpenFile")->trigger();
        QTRY_COMPARE(fixture.window->request().request().prompt, made.prompt);
        fixture.openName = fixture.folder.filePath("still.png");
        fixture.action("actionAddStartImage")->trigger();
        QVERIFY(strip(fixture).accessibleName().startsWith("No file was opened."));  // the demo model takes no image
        fixture.openName = fixture.folder.filePath("two.jsonl");
        QFile requests(fixture.openName);
        QVERIFY(requests.open(QIODevice::WriteOnly));
        requests.write("{\"prompt\":\"A blue cube\"}\n");
        requests.close();
        fixture.action("actionImportQueue")->trigger();
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{1});
    }

    void aFileWithoutRequestsIsNamed() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.openName = fixture.folder.filePath("empty.jsonl");
        QFile file(fixture.openName);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("\n") == 1);
        file.close();
        fixture.action("actionImportQueue")->trigger();
        QTRY_VERIFY(strip(fixture).accessibleName().startsWith("The file contains no request:"));
        QVERIFY(strip(fixture).accessibleName().contains("empty.jsonl"));
        QVERIFY(fixture.bridge->jobs().empty());
    }

    void aNewRequestCanBeUndone() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        RequestModel& form = fixture.window->request();
        auto* prompt = fixture.find<QPlainTextEdit>("promptEdit");
        prompt->setPlainText("A green cube");
        form.edit([](VideoRequest& request) { request.num_inference_steps = 9; });
        const VideoRequest before = form.request();
        fixture.action("actionNewRequest")->trigger();
        QVERIFY(form.request().prompt != before.prompt);
        QVERIFY(strip(fixture).accessibleName().startsWith("New request."));
        prompt->undo();
        QCOMPARE(prompt->toPlainText(), QStringLiteral("A green cube"));
        QCOMPARE(form.request().prompt, before.prompt);
        Q_EMIT strip(fixture).actionTriggered();
        QVERIFY(form.request() == before);
        QVERIFY(!strip(fixture).accessibleName().startsWith("New request."));
    }

    void aRunStartsWithAnEstimateOfItsOwnPlan_data() {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<bool>("isKnown");
        QTest::newRow("the settings of the form") << QByteArray(R"({"prompt":"A blue cube"})") << true;
        QTest::newRow("other settings") << QByteArray(R"({"prompt":"A blue cube","num_inference_steps":90})") << false;
    }
    void aRunStartsWithAnEstimateOfItsOwnPlan() {
        QFETCH(QByteArray, request);
        QFETCH(bool, isKnown);
        std::optional<bool> wasKnown;  // at the start: the plan of the queue arrives later
        WindowFixture fixture(testing::healthyRun(), 0);
        QVERIFY(fixture.isReady());
        const RunModel& run = fixture.window->run();
        connect(&run, &RunModel::stateChanged, this, [&] {
            if (!wasKnown) wasKnown = run.secondsLeft().has_value();
        });
        importLine(fixture, request);
        QTRY_VERIFY(wasKnown.has_value());
        QVERIFY(run.running());
        QCOMPARE(*wasKnown, isKnown);
    }

    /// The file may come from anybody.
    void importedRequestsReplaceNoFile() {
        WindowFixture fixture(testing::healthyRun(), 0);
        QVERIFY(fixture.isReady());
        QVERIFY(QFile(fixture.folder.filePath("mine.mp4")).open(QIODevice::WriteOnly));
        importLine(fixture, R"({"prompt":"A blue cube","output":"mine.mp4","overwrite":true,"codec":"libx265","crf":20,
                                "latents":"a.txt","frames":"b.txt","preview_dir":"c","numeric_log":"d.txt",
                                "numeric_csv":"e.txt"})");
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{1});
        const OutputRequest expected{
            .file = fixture.folder.filePath("mine-2.mp4").toStdString(),
            .codec = "libx265",
            .crf = 20,
            .numeric_log = QDir(logFolder()).filePath("mine-2.jsonl").toStdString(),
        };
        QVERIFY(fixture.bridge->jobs().front().request.output == expected);
    }

    void aDeletedPresetComesBack() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("night.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("night");
        file.close();
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [&](testing::FakeEngine& engine) {
            engine.addPreset({.name = "night",
                              .fields = R"({"num_inference_steps":9})",
                              .file = file.fileName().toStdString(),
                              .own = true});
        });
        QVERIFY(fixture.isReady());
        const PresetModel& presets = fixture.window->request().presets();
        QTRY_VERIFY(!presets.presets().empty());
        const std::size_t count = presets.presets().size();
        fixture.window->request().presets().choose("night");
        QVERIFY(presets.chosen());
        QAction* action = fixture.find<QToolButton>("presetMenuButton")->findChild<QMenu*>()->actions().last();
        action->trigger();
        QTRY_VERIFY(!file.exists());
        QTRY_COMPARE(presets.presets().size(), count - 1);
        QVERIFY(strip(fixture).accessibleName().startsWith("Deleted “night”."));
        Q_EMIT strip(fixture).actionTriggered();
        QTRY_COMPARE(presets.presets().size(), count);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("night"));
        file.close();
        QVERIFY(presets.chosen() && presets.chosen()->name == "night");
        QVERIFY(!presets.isChanged());
        QVERIFY(file.remove());
        action->trigger();
        QTRY_VERIFY(strip(fixture).accessibleName().startsWith("Can't delete the preset:"));
    }

    /// A file that does not respond, as one on a network drive.
    void theWindowDoesNotWaitForAPresetThatIsDeleted() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("night.json");
        QCOMPARE(::mkfifo(QFile::encodeName(file).constData(), 0600), 0);
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [&](testing::FakeEngine& engine) {
            engine.addPreset({.name = "night", .fields = "{}", .file = file.toStdString(), .own = true});
        });
        QVERIFY(fixture.isReady());
        PresetModel& presets = fixture.window->request().presets();
        QTRY_VERIFY(!presets.presets().empty());
        presets.choose("night");
        fixture.find<QToolButton>("presetMenuButton")->findChild<QMenu*>()->actions().last()->trigger();
        QVERIFY(QFile::exists(file));
        std::ofstream(file.toStdString()) << "night";  // the file responds
        QTRY_VERIFY(strip(fixture).accessibleName().startsWith("Deleted “night”."));
        QVERIFY(!QFile::exists(file));
    }

    void theLargestSeedIsFollowedByTheFirst() {
        WindowFixture fixture(testing::healthyRun(), 0);
        QVERIFY(fixture.isReady());
        VideoRequest request = with_defaults({}, testing::demoCard());
        request.seed = std::numeric_limits<std::uint64_t>::max();
        fixture.window->queueController().vary(request, fixture.folder.path(), 1);
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{1});
        QCOMPARE(fixture.bridge->jobs().front().request.seed, std::optional<std::uint64_t>(0));
    }

    /// The folder may be on a network drive that does not respond.
    void theWindowDoesNotWaitForTheFolderOfAVideo() {
        WindowFixture fixture(testing::healthyRun(), 0);
        QVERIFY(fixture.isReady());
        const QString folder = fixture.folder.filePath("share");
        std::promise<void> responds;
        fixture.bridge->request(
            Lane::submissions, fixture.window.get(), [wait = responds.get_future().share()](Engine&) { wait.wait(); },
            [] {}, [](const Error&) {});
        fixture.window->queueController().generate(folder, 1);
        QCOMPARE(fixture.window->run().state(), RunState::planning);
        QVERIFY(!QFileInfo::exists(folder));
        responds.set_value();
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{1});
        QVERIFY(QFileInfo::exists(folder));
        const std::filesystem::path file = fixture.bridge->jobs().front().request.output.file;
        QCOMPARE(QFileInfo(pathText(file)).path(), folder);
        QCOMPARE(fixture.window->run().facts().request.output.file, file);
    }

    void videosSubmittedAtOnceHaveDifferentNames() {
        WindowFixture fixture(testing::healthyRun(), 0);
        QVERIFY(fixture.isReady());
        const VideoRequest request = with_defaults({}, testing::demoCard());
        for (int i = 0; i < 2; ++i) fixture.window->queueController().vary(request, fixture.folder.path(), 1);
        const auto& jobs = fixture.bridge->jobs();
        QTRY_COMPARE(jobs.size(), std::size_t{2});
        QCOMPARE(jobs.front().request.seed, jobs.back().request.seed);
        QVERIFY(jobs.front().request.output.file != jobs.back().request.output.file);
    }

    void settingsForAnotherModelAreRestored() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        RequestModel& form = fixture.window->request();
        QTRY_VERIFY(!form.presets().presets().empty());
        form.edit([](VideoRequest& request) { request.num_inference_steps = 9; });
        QVERIFY(form.presets().isChanged());
        QFile file(fixture.folder.filePath("other.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"prompt\":\"A blue cube\",\"num_inference_steps\":7,\"model\":\"" +
                   QByteArray(testing::kImageModel) + "\"}");
        file.close();
        fixture.window->open(file.fileName());
        QTRY_COMPARE(form.request().num_inference_steps, std::optional(7));
        QTRY_VERIFY(form.presets().chosen());
        QVERIFY2(strip(fixture).accessibleName().startsWith("Settings restored."),
                 qPrintable(strip(fixture).accessibleName()));
    }
};

QTEST_MAIN(TestControllers)
#include "test_controllers.moc"
