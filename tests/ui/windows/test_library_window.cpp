#include <QtTest>

#include <QCheckBox>
#include <QDropEvent>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <set>

#include "tests/support/small_disk.h"
#include "tests/support/window_fixture.h"
#include "ui/models/history_model.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/queue_delegate.h"
#include "ui/panels/run_panel.h"
#include "ui/text/words.h"
#include "ui/widgets/drop_hint.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/notice_strip.h"
#include "ui/windows/library_page.h"
#include "ui/windows/recovery_dialog.h"

using namespace kinescope;
using testing::WindowFixture;
using ui::RunState;

namespace {

int steps(WindowFixture& fixture) {
    return static_cast<int>(fixture.window->run().facts().progress.stepSeconds.size());
}

ui::QueueModel& queueOf(WindowFixture& fixture) {
    return fixture.window->queueController().queue();
}

Job leftBehind(JobState state, int step) {
    Job job;
    job.id = 5;
    job.state = state;
    job.step = step;
    job.num_steps = 12;
    job.request = with_defaults({}, testing::demoCard());
    job.request.prompt = "A lighthouse on a rocky cliff at dusk";
    job.created = "2026-11-21T14:00:00Z";
    return job;
}

/// Makes an empty video of the output folder that is `age` seconds old. Returns its path.
QString addVideo(const WindowFixture& fixture, const QString& name, int age = 0) {
    const QDir folder(fixture.folder.filePath("Kinescope"));
    folder.mkpath(".");
    QFile video(folder.filePath(name));
    if (!video.open(QIODevice::WriteOnly)) return {};
    video.setFileTime(QDateTime::currentDateTime().addSecs(-age), QFileDevice::FileModificationTime);
    return video.fileName();
}

/// Shows the Library and waits until it lists all videos.
QListView* openLibrary(WindowFixture& fixture, int numVideos) {
    fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
    const auto isComplete = [&] { return fixture.window->history().numVideos() == numVideos; };
    return QTest::qWaitFor(isComplete) ? fixture.find<QListView>("historyView") : nullptr;
}

/// Scans the output folder again and waits for the end.
bool scanAgain(WindowFixture& fixture) {
    QSignalSpy scanned(&fixture.window->history(), &ui::HistoryModel::scanned);
    fixture.window->history().scan(fixture.folder.filePath("Kinescope"));
    return scanned.wait();
}

void dropOn(QWidget* window, QMimeData* mime) {
    const QPoint place = window->rect().center();
    QDragEnterEvent enter(place, Qt::CopyAction, mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window, &enter);
    QDropEvent drop(place, Qt::CopyAction, mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window, &drop);
}

}  // namespace

class TestLibraryWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aJobWithoutAPromptIsNamedByModelAndInput() {
        const QString name = QStringLiteral("svd-tiny: photo.png");
        const auto script = [](const VideoRequest& request) {
            std::vector<RunEvent> events = testing::healthyRun()(request);
            std::get<RunStarted>(events.front()).card.takes_prompt = false;
            return events;
        };
        constexpr std::size_t kEncoding = 5;
        WindowFixture fixture(script, kEncoding);
        QVERIFY(fixture.isReady());
        VideoRequest request = with_defaults({}, testing::demoCard());
        request.prompt.clear();
        request.model = "/models/svd-tiny";
        request.image = "/home/me/photo.png";
        fixture.bridge->submit(request);
        fixture.bridge->submit(request);
        QVERIFY(fixture.reaches(RunState::encoding));
        QTRY_VERIFY2(fixture.window->windowTitle().contains(name), qPrintable(fixture.window->windowTitle()));
        QTRY_COMPARE(fixture.find<ui::RunPanel>("runPanel")->title(), QStringLiteral("Encoding the image"));
        QTRY_COMPARE(queueOf(fixture).rowCount(), 2);
        const QModelIndex waiting = queueOf(fixture).index(1);
        QCOMPARE(waiting.data().toString(), name);
        QVERIFY(waiting.data(Qt::AccessibleTextRole).toString().startsWith(name));
        queueOf(fixture).remove(queueOf(fixture).job(1).id);
        QVERIFY(fixture.find<ui::NoticeStrip>("queueStrip")->text().endsWith(name));
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
    }

    void pausesAndContinues() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(steps(fixture), 4);
        auto* card = fixture.find<ui::RunPanel>("runPanel");
        QTest::mouseClick(fixture.find<QPushButton>("pauseButton"), Qt::LeftButton);
        QVERIFY(fixture.reaches(RunState::paused));
        QCOMPARE(card->property("state").toString(), QStringLiteral("paused"));
        QVERIFY(fixture.find<ui::ElidedLabel>("runDetailLabel")->fullText().startsWith("at step 4."));
        QVERIFY(fixture.find<ui::ElidedLabel>("runDetailLabel")->fullText().contains("7.8 GiB of memory freed"));
        QVERIFY(!fixture.find<QPushButton>("pauseButton")->isVisible());
        fixture.release();
        QTest::mouseClick(fixture.find<QPushButton>("continueButton"), Qt::LeftButton);
        QVERIFY(fixture.reaches(RunState::done));
        QCOMPARE(steps(fixture), 12);
    }

    void aJobThatFailsBeforeItsStartCanBeRetried() {
        const auto broken = std::make_shared<std::atomic<bool>>(true);
        const Error gone(ErrorCode::file_not_found, "There is no file /m/gone.gguf", {}, {{"path", "/m/gone.gguf"}});
        WindowFixture fixture(
            [broken, gone](const VideoRequest& request) {
                const bool fails = request.prompt == "bad" && *broken;
                return fails ? std::vector<RunEvent>{RunFailed{gone}} : testing::healthyRun()(request);
            },
            testing::kFourSteps);
        QVERIFY(fixture.isReady());
        auto* button = fixture.find<QPushButton>("generateButton");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(steps(fixture), 4);
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText("bad");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(queueOf(fixture).numOpen(), 2);
        fixture.release();
        QTRY_COMPARE(queueOf(fixture).numFailed(), 1);
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QTRY_VERIFY(strip->accessibleName().contains("“bad”: File not found. “gone.gguf” was not found."));
        QCOMPARE(strip->toolTip(), QStringLiteral("There is no file /m/gone.gguf."));
        QCOMPARE(fixture.find<QToolButton>("queueButton")->text(), QStringLiteral("1 failed"));
        const QModelIndex row = queueOf(fixture).index(0);  // open jobs come before finished ones
        QVERIFY(row.data(ui::QueueModel::ReasonRole).toString().startsWith("“gone.gguf” was not found."));
        QVERIFY(row.data(Qt::ToolTipRole).toString().endsWith("There is no file /m/gone.gguf."));
        QCOMPARE(fixture.window->run().state(), RunState::done);  // the previous video stays visible

        *broken = false;
        Q_EMIT strip->actionTriggered();
        QTRY_COMPARE(queueOf(fixture).numFailed(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(queueOf(fixture).numOpen(), 0, 20000);
        for (const Job& job : fixture.bridge->jobs()) QCOMPARE(job.state, JobState::finished);
    }

    void aFixRemovesTheFailedJob() {
        WindowFixture fixture(testing::failingRun(Error(ErrorCode::internal, "no")));
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::failed));
        QTRY_COMPARE(queueOf(fixture).numFailed(), 1);
        const JobId first = queueOf(fixture).job(0).id;
        QTest::mouseClick(fixture.find<QPushButton>("fixButton1"), Qt::LeftButton);
        QTRY_COMPARE(queueOf(fixture).rowOf(first), -1);
        QTRY_COMPARE(queueOf(fixture).numFailed(), 1);  // the retry fails, too
    }

    void generateQueuesAJobDuringARun() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        auto* button = fixture.find<QPushButton>("generateButton");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(steps(fixture), 4);
        QCOMPARE(button->text(), QStringLiteral("Add to queue"));
        QTest::mouseClick(button, Qt::LeftButton);
        fixture.find<QSpinBox>("countSpin")->setValue(3);
        QCOMPARE(button->text(), QStringLiteral("Add 3 to queue"));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(queueOf(fixture).numOpen(), 5);
        QCOMPARE(fixture.find<QToolButton>("queueButton")->text(), QStringLiteral("4 in queue"));
        std::set<std::filesystem::path> files;
        for (const Job& job : fixture.bridge->jobs()) files.insert(job.request.output.file);
        QCOMPARE(files.size(), std::size_t{5});
        fixture.release();
        QTRY_COMPARE_WITH_TIMEOUT(queueOf(fixture).numOpen(), 0, 20000);
        for (const Job& job : fixture.bridge->jobs()) QCOMPARE(job.state, JobState::finished);
    }

    void theQueueIsOperatedByKeyboard() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.find<QSpinBox>("countSpin")->setValue(4);
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(queueOf(fixture).numOpen(), 4);
        QTRY_COMPARE(steps(fixture), 4);
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("queueView");
        QVERIFY(view->isVisible());
        const JobId last = queueOf(fixture).job(3).id;
        view->setCurrentIndex(queueOf(fixture).index(3));
        QTest::keyClick(view, Qt::Key_Up, Qt::AltModifier);
        QTRY_COMPARE(queueOf(fixture).rowOf(last), 2);
        view->setCurrentIndex(queueOf(fixture).index(2));
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(queueOf(fixture).rowOf(last), -1);
        QVERIFY(fixture.find<ui::NoticeStrip>("queueStrip")->isVisible());
        Q_EMIT fixture.find<ui::NoticeStrip>("queueStrip")->actionTriggered();
        QCOMPARE(queueOf(fixture).rowOf(last), 2);
        view->setCurrentIndex(queueOf(fixture).index(2));
        QTest::keyClick(view, Qt::Key_D, Qt::ControlModifier);
        QTRY_COMPARE(queueOf(fixture).numOpen(), 5);

        view->setCurrentIndex(queueOf(fixture).index(2));
        QTest::keyClick(view, Qt::Key_Return);
        auto* button = fixture.find<QPushButton>("generateButton");
        QVERIFY(button->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Update job"));
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText("A white ball drops");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(queueOf(fixture).job(2).request.prompt, std::string("A white ball drops"));
        QTRY_COMPARE(button->text(), QStringLiteral("Add 4 to queue"));
    }

    void quitHasThreeAnswers() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(steps(fixture), 4);
        fixture.quitAnswer = ui::QuitAnswer::keepWorking;
        QVERIFY(!fixture.window->close());
        QCOMPARE(fixture.quitQuestion.step, 5);
        fixture.quitAnswer = ui::QuitAnswer::finishThenQuit;
        QVERIFY(!fixture.window->close());
        QVERIFY(fixture.window->isVisible());
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
        QTRY_VERIFY(!fixture.window->isVisible());
    }

    void aVideoThatEndsDuringTheQuitQuestion_data() {
        QTest::addColumn<int>("videos");
        QTest::addColumn<bool>("isOpen");
        QTest::newRow("nothing is left to do") << 1 << false;
        QTest::newRow("another job waits") << 2 << true;
    }

    /// The end of the run closes the question without an answer.
    void aVideoThatEndsDuringTheQuitQuestion() {
        QFETCH(int, videos);
        QFETCH(bool, isOpen);
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.find<QSpinBox>("countSpin")->setValue(videos);
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(steps(fixture), 4);
        QTRY_COMPARE(queueOf(fixture).numOpen(), videos);
        fixture.bridge->holdQueue();  // the next job must not start before the answer
        fixture.quitAnswer = ui::QuitAnswer::keepWorking;
        fixture.whileQuitIsAsked = [&fixture] {
            fixture.release();
            QVERIFY(fixture.reaches(RunState::done));
        };
        fixture.window->close();
        QCOMPARE(fixture.window->isVisible(), isOpen);
    }

    void theQuitDialogContinuesLaterByDefault() {
        WindowFixture fixture(testing::healthyRun());
        ui::QuitDialog dialog(fixture.theme, {302.0, 23});
        QVERIFY(dialog.findChild<QLabel*>("questionSentenceLabel")->text().startsWith("5:02 left."));
        QVERIFY(dialog.findChild<QPushButton*>("continueLaterButton")->isDefault());
        dialog.show();
        QTest::keyClick(&dialog, Qt::Key_Escape);
        QCOMPARE(dialog.answer(), ui::QuitAnswer::keepWorking);
    }

    void asksWhetherToResumeAfterACrash() {
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [](testing::FakeEngine& engine) {
            engine.queue().leaveBehind({leftBehind(JobState::interrupted, 7)});
        });
        QTRY_VERIFY(fixture.window->findChild<ui::RecoveryDialog*>());
        auto* dialog = fixture.window->findChild<ui::RecoveryDialog*>();
        auto* go = dialog->findChild<QPushButton*>("recoverButton");
        QCOMPARE(go->text(), QStringLiteral("Continue from step 7"));
        QCOMPARE(dialog->mode(), ui::RecoveryMode::normal);
        QTest::mouseClick(go, Qt::LeftButton);
        QVERIFY(fixture.reaches(RunState::done));
    }

    /// Safe mode is for the driver of this computer.
    void aJobThatAnotherComputerSetAsideIsOffered() {
        Job job = leftBehind(JobState::interrupted, 7);
        job.request.prompt.clear();
        job.request.model = "/models/svd-tiny";
        job.request.image = "/home/me/photo.png";
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [&](testing::FakeEngine& engine) {
            Job other = leftBehind(JobState::interrupted, 3);
            other.id = 6;
            engine.queue().leaveBehind({job, other});
            for (const JobId id : {5, 6}) testing::FakeComputers::assign(engine, id, "ws2");
        });
        QTRY_VERIFY(fixture.window->findChild<ui::RecoveryDialog*>());
        auto* dialog = fixture.window->findChild<ui::RecoveryDialog*>();
        QCOMPARE(dialog->findChild<QLabel*>("questionSentenceLabel")->text(),
                 QStringLiteral("The engine on “ws2” ended while it generated this video. Steps 1 to 7 of 12 are saved "
                                "there."));
        const auto* name = dialog->findChild<ui::ElidedLabel*>("recoverJobLabel");
        QVERIFY(name);
        QCOMPARE(name->fullText(), QStringLiteral("svd-tiny: photo.png"));
        const QString facts = dialog->findChild<QLabel*>("recoverFactsLabel")->text();
        QVERIFY2(facts.contains("1 more interrupted job stays in the queue"), qPrintable(facts));
        QVERIFY(!dialog->findChild<QCheckBox*>("safeModeCheck"));
        QCOMPARE(dialog->mode(), ui::RecoveryMode::normal);
        QVERIFY(!fixture.settings.contains("queue/crashes"));  // nothing has crashed here
    }

    /// The list of models may arrive while the question is shown.
    void aJobInTheQuestionHasTheNameOfItsModelAndATime() {
        Job job = leftBehind(JobState::interrupted, 7);
        job.request.prompt.clear();
        job.request.model = "/models/wan2.1-t2v-1.3b";
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1),
                              [&job](testing::FakeEngine& engine) { engine.queue().leaveBehind({job}); });
        QTRY_VERIFY(fixture.window->findChild<ui::RecoveryDialog*>());
        auto* dialog = fixture.window->findChild<ui::RecoveryDialog*>();
        const QString time = ui::localTimeText(job.created);
        QVERIFY(!time.contains(QLatin1Char('T')));
        QTRY_COMPARE(dialog->findChild<ui::ElidedLabel*>("recoverJobLabel")->fullText(), "Wan 2.1 1.3B, " + time);
        const QString facts = dialog->findChild<QLabel*>("recoverFactsLabel")->text();
        QVERIFY2(facts.startsWith("Wan 2.1 1.3B, ") && facts.contains("added " + time), qPrintable(facts));
        QTRY_COMPARE(queueOf(fixture).index(0).data().toString(), "Wan 2.1 1.3B, " + time);
    }

    /// A job that was paused on another computer has nothing to do with the end of this window.
    void aJobThatIsPausedElsewhereIsNotOffered() {
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [](testing::FakeEngine& engine) {
            Job paused = leftBehind(JobState::paused, 7);
            Job crashed = leftBehind(JobState::paused, 3);
            crashed.id = 6;
            engine.queue().leaveBehind({paused, crashed});
            testing::FakeComputers::assign(engine, paused.id, "ws2");
        });
        fixture.settings.setValue("queue/running", 5);
        QTRY_VERIFY(fixture.window->findChild<ui::RecoveryDialog*>());
        auto* dialog = fixture.window->findChild<ui::RecoveryDialog*>();
        QCOMPARE(dialog->findChild<QPushButton*>("recoverButton")->text(), QStringLiteral("Continue from step 3"));
        QVERIFY(dialog->findChild<QLabel*>("questionSentenceLabel")->text().startsWith("Kinescope was closed"));
        QVERIFY(dialog->findChild<QCheckBox*>("safeModeCheck"));
    }

    void aCrashedJobContinuesWithoutItsFinishSteps() {
        Job job = leftBehind(JobState::interrupted, 7);
        job.request.finish.upscaler = "/models/gone.pth";
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1),
                              [&job](testing::FakeEngine& engine) { engine.queue().leaveBehind({job}); });
        QTRY_VERIFY(fixture.window->findChild<ui::RecoveryDialog*>());
        auto* dialog = fixture.window->findChild<ui::RecoveryDialog*>();
        auto* skip = dialog->findChild<QPushButton*>("recoverSkipFinishButton");
        QVERIFY(skip && skip->isEnabled());
        dialog->findChild<QCheckBox*>("safeModeCheck")->setChecked(true);
        QVERIFY(!skip->isEnabled());  // safe mode starts over
        dialog->findChild<QCheckBox*>("safeModeCheck")->setChecked(false);
        QTest::mouseClick(skip, Qt::LeftButton);
        QVERIFY(fixture.reaches(RunState::done));
        QVERIFY(fixture.engine->queue().job(job.id)->request.finish.is_empty());
    }

    void aDamagedJobCanOnlyBeRemoved() {
        Job job;
        job.id = 7;
        job.state = JobState::failed;
        job.error = Error(ErrorCode::bad_config, "job.json is not usable", {}, {{"cause", "damaged_job"}});
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1),
                              [&job](testing::FakeEngine& engine) { engine.queue().leaveBehind({job}); });
        QVERIFY(fixture.isReady());
        QTRY_COMPARE(queueOf(fixture).rowCount(), 1);
        const QModelIndex row = queueOf(fixture).index(0);
        QCOMPARE(row.data().toString(), QStringLiteral("Job 7"));
        QCOMPARE(row.data(ui::QueueModel::StatusRole).toString(), QStringLiteral("The job is damaged"));
        QVERIFY(row.data(ui::QueueModel::FactsRole).toString().isEmpty());
        QVERIFY(ui::linkText(row).isEmpty());
        auto* view = fixture.find<QListView>("queueView");
        view->setCurrentIndex(view->model()->index(0, 0));
        QTest::keyClick(view, Qt::Key_Return);  // its settings are unknown
        QVERIFY(!fixture.window->request().request().prompt.empty());
        QTest::keyClick(view, Qt::Key_Delete);
        fixture.window.reset();  // completes the removal
        QTRY_VERIFY(fixture.engine->queue().jobs().empty());
    }

    /// Only the video file is left of the previous session.
    void aJobOfAnEarlierSessionShowsItsVideo() {
        QTemporaryDir videos;
        const QString file = videos.filePath("lighthouse.mp4");
        QVERIFY(QFile(file).open(QIODevice::WriteOnly));
        Job job = leftBehind(JobState::finished, 12);
        job.output = file.toStdString();
        Job gone = leftBehind(JobState::finished, 12);
        gone.id = 6;
        gone.output = videos.filePath("gone.mp4").toStdString();
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [&](testing::FakeEngine& engine) {
            engine.queue().leaveBehind({job, gone});
        });
        QVERIFY(fixture.isReady());
        const auto picture = [&](JobId id) {
            return queueOf(fixture).index(queueOf(fixture).rowOf(id)).data(ui::QueueModel::PictureRole).value<QImage>();
        };
        QTRY_VERIFY(!picture(5).isNull());
        QVERIFY(picture(6).isNull());
        QSet<QRgb> colors;
        for (int x = 0; x < picture(5).width(); ++x) colors.insert(picture(5).pixel(x, picture(5).height() / 2));
        QVERIFY(colors.size() > 4);
    }

    void resumesWithoutAskingAfterACleanQuit() {
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [](testing::FakeEngine& engine) {
            Job other = leftBehind(JobState::paused, 3);
            other.id = 6;
            engine.queue().leaveBehind({leftBehind(JobState::paused, 7), other});
        });
        fixture.settings.setValue("queue/continueAtStart", "5,6");
        for (const JobId id : {5, 6}) QTRY_COMPARE(fixture.engine->queue().job(id)->state, JobState::finished);
        QVERIFY(!fixture.window->findChild<ui::RecoveryDialog*>());
    }

    void aCleanQuitNotesEveryJobThatRunsHere() {
        Job other = leftBehind(JobState::running, 3);
        other.id = 6;
        Job elsewhere = leftBehind(JobState::running, 4);
        elsewhere.id = 7;
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps, [&](testing::FakeEngine& engine) {
            engine.queue().leaveBehind({other, elsewhere});
            testing::FakeComputers::assign(engine, elsewhere.id, "ws2");
        });
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::denoising));
        fixture.quitAnswer = ui::QuitAnswer::continueLater;
        QVERIFY(fixture.window->close());
        const QString running = QString::number(fixture.window->run().facts().job);
        QCOMPARE(fixture.settings.value("queue/continueAtStart").toString(), "6," + running);
    }

    /// The log of the interrupted run exists, so that a new job could not write it.
    void safeModeStartsTheSameJobAgain() {
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [](testing::FakeEngine& engine) {
            engine.queue().leaveBehind({leftBehind(JobState::interrupted, 7)});
        });
        QTRY_VERIFY(fixture.window->findChild<ui::RecoveryDialog*>());
        auto* dialog = fixture.window->findChild<ui::RecoveryDialog*>();
        dialog->findChild<QCheckBox*>("safeModeCheck")->setChecked(true);
        dialog->findChild<QPushButton*>("recoverButton")->click();
        QVERIFY(fixture.reaches(RunState::done));
        QCOMPARE(fixture.bridge->jobs().size(), std::size_t{1});
        const auto job = fixture.engine->queue().job(5);
        QVERIFY(job && job->state == JobState::finished);
        QCOMPARE(job->request.device, std::string("cpu"));
    }

    void aFailedExportKeepsTheQueueOfTheLastOne() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::denoising));
        fixture.saveName = fixture.folder.filePath("queue.jsonl");
        QFile file(fixture.saveName);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("kept") == 4);
        file.close();
        {
            const testing::SmallDisk disk(16);
            fixture.find<QPushButton>("exportQueueButton")->click();
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("kept"));
        QVERIFY(fixture.find<ui::NoticeStrip>("libraryNotice")->text().startsWith("Export failed:"));
    }

    void aDroppedVideoRestoresItsSettings() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const VideoRequest before = fixture.window->request().request();
        VideoRequest made = with_defaults({}, testing::demoCard());
        made.prompt = "A yellow cube";
        made.negative_prompt = "rain";
        made.seed = 7;
        made.num_inference_steps = 9;
        made.guidance_scale = 5.5;
        made.num_frames = 17;
        made.fps = 10;
        const QString file = fixture.folder.filePath("video.mp4");
        fixture.engine->keepSettings(file.toStdString(), made);
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file)});
        dropOn(fixture.window.get(), &mime);
        QTRY_COMPARE(fixture.window->request().request().prompt, made.prompt);
        const VideoRequest& now = fixture.window->request().request();
        QCOMPARE(now.negative_prompt, made.negative_prompt);
        QCOMPARE(now.num_inference_steps, made.num_inference_steps);
        QCOMPARE(now.guidance_scale, made.guidance_scale);
        QCOMPARE(now.num_frames, made.num_frames);
        QCOMPARE(now.width, made.width);
        QCOMPARE(now.height, made.height);
        QCOMPARE(now.fps, made.fps);
        QCOMPARE(now.scheduler, made.scheduler);
        QCOMPARE(now.seed, made.seed);
        QCOMPARE(fixture.find<QPlainTextEdit>("promptEdit")->toPlainText(), QStringLiteral("A yellow cube"));
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QVERIFY(strip->accessibleName().startsWith("Settings restored."));
        Q_EMIT strip->actionTriggered();
        QVERIFY(fixture.window->request().request() == before);
    }

    void aVideoThatIsOpenedAfterItsRunKeepsItsSeed() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const VideoRequest made = fixture.bridge->jobs().at(0).request;
        const QString file = fixture.folder.filePath("video.mp4");
        fixture.engine->keepSettings(file.toStdString(), made);
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file)});
        dropOn(fixture.window.get(), &mime);
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QTRY_VERIFY(strip->accessibleName().startsWith("Settings restored."));
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{2});
        QCOMPARE(fixture.bridge->jobs().at(1).request.seed, made.seed);
    }

    void refusedDropsAreExplained() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QMimeData other;
        other.setUrls({QUrl::fromLocalFile(fixture.folder.filePath("other.mp4"))});
        dropOn(fixture.window.get(), &other);
        QTRY_VERIFY(strip->accessibleName().startsWith("There is no such file:"));
        QVERIFY(QFile(fixture.folder.filePath("other.mp4")).open(QIODevice::WriteOnly));
        dropOn(fixture.window.get(), &other);
        QTRY_VERIFY(strip->accessibleName().startsWith("This video contains no settings."));
        QMimeData junk;
        junk.setUrls({QUrl::fromLocalFile(fixture.folder.filePath("notes.docx"))});
        dropOn(fixture.window.get(), &junk);
        QVERIFY(strip->accessibleName().contains("notes.docx"));
        QVERIFY(!fixture.find<ui::DropHint>("dropHint")->isVisible());
        QMimeData words;
        words.setText("A white ball drops");
        dropOn(fixture.window.get(), &words);
        QCOMPARE(fixture.window->request().request().prompt, std::string("A white ball drops"));
    }

    void theQueueCanBeExportedAndImported() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.find<QSpinBox>("countSpin")->setValue(3);
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(queueOf(fixture).numOpen(), 3);
        fixture.saveName = fixture.folder.filePath("queue.jsonl");
        fixture.find<QPushButton>("exportQueueButton")->click();
        QFile file(fixture.saveName);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), 3);
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(fixture.saveName)});
        dropOn(fixture.window.get(), &mime);
        QTRY_COMPARE(queueOf(fixture).numOpen(), 6);
    }

    void settingsAreRestoredFromTheHistory() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const Job made = fixture.bridge->jobs().at(0);
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("historyView");
        QTRY_COMPARE(view->model()->rowCount(), 2);
        fixture.window->request().resetToDefaults();
        view->setCurrentIndex(view->model()->index(1, 0));
        QTRY_VERIFY(fixture.find<QPushButton>("useSettingsButton")->isVisible());
        QTest::keyClick(view, Qt::Key_Return);
        QTRY_COMPARE(fixture.window->request().request().seed, made.request.seed);
    }

    void theSelectionStaysWithItsVideo() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QString newest = addVideo(fixture, "newest.mp4", 10);
        const QString chosen = addVideo(fixture, "chosen.mp4", 20);
        addVideo(fixture, "oldest.mp4", 30);
        QListView* view = openLibrary(fixture, 3);
        QVERIFY(view);
        ui::HistoryModel& history = fixture.window->history();
        view->setCurrentIndex(history.index(history.rowOf(chosen)));
        const auto selected = [&] { return fixture.window->libraryPage()->historyPanel()->selectedFiles(); };
        QCOMPARE(selected(), QStringList{chosen});
        addVideo(fixture, "later.mp4");
        QVERIFY(QFile::remove(newest));
        QVERIFY(scanAgain(fixture));
        QCOMPARE(selected(), QStringList{chosen});
        QCOMPARE(fixture.window->libraryPage()->currentVideo(), chosen);
        QCOMPARE(history.moveToTrash(newest), QString());
        QCOMPARE(selected(), QStringList{chosen});
    }

    void theSelectionStaysBehindTheFirstPage() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        constexpr int kVideos = 400;
        for (int i = 0; i < kVideos; ++i) addVideo(fixture, QStringLiteral("%1.mp4").arg(i), i + 1);
        QListView* view = openLibrary(fixture, kVideos);
        QVERIFY(view);
        ui::HistoryModel& history = fixture.window->history();
        history.fetchMore({});
        const QModelIndex last = history.index(history.rowCount() - 1);
        view->setCurrentIndex(last);
        const QString chosen = last.data(Qt::UserRole).toString();
        addVideo(fixture, "later.mp4");  // moves the selected one to the next page
        QVERIFY(scanAgain(fixture));
        QCOMPARE(fixture.window->libraryPage()->historyPanel()->selectedFiles(), QStringList{chosen});
    }

    void aMissingVideoOffersNoFileActions() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QString video = addVideo(fixture, "gone.mp4");
        QListView* view = openLibrary(fixture, 1);
        QVERIFY(view);
        view->setCurrentIndex(view->model()->index(1, 0));
        const auto areEnabled = [&](bool enabled) {
            return std::ranges::all_of(
                std::array{"historyExportButton", "historyFinishButton", "historyContinueButton", "checkFileButton"},
                [&](const char* name) { return fixture.find<QPushButton>(name)->isEnabled() == enabled; });
        };
        QVERIFY(areEnabled(true));
        QVERIFY(QFile::remove(video));
        QVERIFY(scanAgain(fixture));
        QVERIFY(areEnabled(false));
    }

    void theTrashQuestionNamesTheFile() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QString video = addVideo(fixture, "chosen.mp4");
        QListView* view = openLibrary(fixture, 1);
        QVERIFY(view);
        view->setCurrentIndex(view->model()->index(1, 0));
        QString question;
        QTimer::singleShot(0, this, [&] {
            auto* dialog = fixture.find<QDialog>("deleteDialog");
            question = dialog->findChild<QLabel*>("questionSentenceLabel")->text();
            dialog->reject();
        });
        QTest::keyClick(view, Qt::Key_Delete);
        QVERIFY2(question.startsWith("chosen.mp4: "), qPrintable(question));
        QVERIFY(QFile::exists(video));
    }

    /// The settings and the name of a video of somebody else may contain HTML that loads a picture.
    void foreignTextsAreShownAsTheyAre() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QString words = QStringLiteral("A <b>red</b> ball");
        VideoRequest request = with_defaults({}, testing::demoCard());
        request.prompt = words.toStdString();
        request.negative_prompt = request.prompt;
        const QString video = addVideo(fixture, "<b>red.mp4");
        fixture.engine->keepSettings(video.toStdString(), request);
        QListView* view = openLibrary(fixture, 1);
        QVERIFY(view);
        view->setCurrentIndex(view->model()->index(1, 0));
        QTRY_COMPARE(fixture.find<QLabel>("detailsTitleLabel")->text(), words);
        QCOMPARE(fixture.find<QLabel>("detailsPromptLabel")->text(), words);
        fixture.find<QPushButton>("historyExportButton")->click();
        QVERIFY(fixture.find<QLabel>("exportSourceLabel")->text().startsWith("<b>red"));
        for (const QLabel* label : fixture.window->findChildren<QLabel*>())
            if (label->text().contains("<b>")) QCOMPARE(label->textFormat(), Qt::PlainText);
    }

    void toolTipsAreShownAsTheyAre() {
        WindowFixture fixture(testing::healthyRun());
        QToolTip::showText(fixture.window->pos(), "A <b>red</b> ball", fixture.window.get());
        const auto tips = QApplication::topLevelWidgets();
        const auto tip = std::ranges::find_if(tips, [](QWidget* top) { return top->inherits("QTipLabel"); });
        QVERIFY(tip != tips.end());
        QCOMPARE(static_cast<QLabel*>(*tip)->textFormat(), Qt::PlainText);
        QToolTip::hideText();
    }

    /// A finished video has another size, length and frame rate than its settings.
    void theDetailsShowTheShapeOfTheFile() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const Job made = fixture.bridge->jobs().at(0);
        fixture.engine->describe(made.output, {.width = 640, .height = 384, .num_frames = 49, .fps = 29.97});
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("historyView");
        QTRY_COMPARE(view->model()->rowCount(), 2);
        view->setCurrentIndex(view->model()->index(1, 0));
        const auto shown = [&fixture] {
            QStringList words;
            for (const QLabel* label : fixture.find<QWidget>("detailsPanel")->findChildren<QLabel*>())
                words << label->text();
            return words;
        };
        QTRY_VERIFY2(shown().contains(QStringLiteral("640 × 384, 49 frames")), qPrintable(shown().join('|')));
        QVERIFY2(shown().contains(QStringLiteral("29.97 fps")), qPrintable(shown().join('|')));
    }

    /// The settings contain the number of frames of one part.
    void aLongVideoHasTheLengthOfItsFile() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const Job made = fixture.bridge->jobs().at(0);
        VideoRequest request = made.request;
        request.next_prompts = {"It turns"};
        const auto file = made.output.parent_path() / "long.mp4";
        QVERIFY(QFile(QString::fromStdString(file.string())).open(QIODevice::WriteOnly));
        fixture.engine->keepSettings(file, request);
        fixture.engine->describe(file, {.width = 640, .height = 384, .num_frames = 90, .fps = 30});
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("historyView");
        QTRY_COMPARE(view->model()->rowCount(), 3);
        const auto rowOf = [&] {
            for (int row = 1; row < view->model()->rowCount(); ++row)
                if (view->model()->index(row, 0).data(Qt::UserRole).toString().endsWith("long.mp4")) return row;
            return -1;
        };
        const auto length = [&] { return view->model()->index(rowOf(), 0).data(ui::HistoryModel::LengthRole); };
        QTRY_COMPARE(length().toDouble(), 3.0);
        view->setCurrentIndex(view->model()->index(rowOf(), 0));
        const auto shown = [&fixture] {
            QStringList words;
            for (const QLabel* label : fixture.find<QWidget>("detailsPanel")->findChildren<QLabel*>())
                words << label->text();
            return words;
        };
        QTRY_VERIFY2(shown().contains(QStringLiteral("3.0 s")), qPrintable(shown().join('|')));
        QVERIFY2(!shown().filter(QStringLiteral("frames in each part")).isEmpty(), qPrintable(shown().join('|')));
        fixture.window->request().edit([](VideoRequest& form) { form.fps = 8; });
        fixture.find<QPushButton>("historyContinueButton")->click();
        QCOMPARE(fixture.window->request().request().continue_video.value_or(""), file);
        QVERIFY(!fixture.window->request().request().fps);
    }

    void aRefusedPlanIsExplained() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* advice = fixture.find<QLabel>("generateAdviceLabel");
        QTRY_VERIFY2(advice->text().startsWith(QLatin1String("About")), qPrintable(advice->text()));
        Q_EMIT fixture.bridge->planFailed(
            Error(ErrorCode::bad_request, "mask contains 5 frames, and num_frames is 9", {}, {{"num_frames", "5"}}));
        const auto reason =
            QStringLiteral("Change these settings: Length (use 5). Reason: “Mask contains 5 frames, and Length is 9.”");
        QCOMPARE(advice->text(), reason);
        fixture.action("actionExplore")->trigger();
        auto* message = fixture.find<ui::MessageLine>("exploreMessage");
        QCOMPARE(message->text(), reason);
        fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText("a {red|green ball");
        QTRY_VERIFY2(message->text().contains(QLatin1String("brace")), qPrintable(message->text()));
    }

    void theShortcutOfGenerateExploresOnTheExplorePage() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        fixture.action("actionGenerate")->trigger();
        QCOMPARE(fixture.find<QListView>("exploreView")->model()->rowCount(), 4);
    }

    void exploringFillsTheGrid() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        auto* view = fixture.find<QListView>("exploreView");
        QVERIFY(fixture.find<QWidget>("exploreEmptyLabel")->isVisible());
        fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText("a {red|green} ball");
        fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(2);
        auto* start = fixture.find<QPushButton>("exploreButton");
        QCOMPARE(start->text(), QStringLiteral("Generate 4 videos"));
        QCOMPARE(fixture.find<QPushButton>("generateButton")->text(), QStringLiteral("Generate 2 videos"));
        QTest::mouseClick(start, Qt::LeftButton);
        QCOMPARE(view->model()->rowCount(), 4);
        const auto& model = *static_cast<ui::ExploreModel*>(view->model());
        QTRY_COMPARE_WITH_TIMEOUT(model.numDone(), 4, 20000);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("a red ball"));
        QCOMPARE(model.index(3).data().toString(), QStringLiteral("a green ball"));
        QCOMPARE(*model.request(1).seed, *model.request(0).seed + 1);
        QCOMPARE(*model.request(2).seed, *model.request(0).seed);
        QTRY_VERIFY(!model.index(3).data(ui::ExploreModel::FramesRole).value<QList<QImage>>().isEmpty());

        view->setFocus();
        view->setCurrentIndex(model.index(2));
        QTest::keyClick(view, Qt::Key_F);
        QTRY_VERIFY(model.index(2).data(ui::ExploreModel::FavoriteRole).toBool());
        QVERIFY(!fixture.find<QPushButton>("exploreCompareButton")->isEnabled());
        QTest::keyClick(view, Qt::Key_M);
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(model.request(3).variation_of, model.request(2).seed);
        QCOMPARE(model.request(3).prompt, std::string("a green ball"));
        QCOMPARE(view->currentIndex().row(), 3);
        QTRY_COMPARE_WITH_TIMEOUT(model.numDone(), 6, 20000);

        const ui::ExploreModel again(queueOf(fixture), fixture.window->history(), ui::ExploreModel::defaultFile());
        QTRY_COMPARE(again.rowCount(), 6);
        view->setCurrentIndex(model.index(0));
        QTest::keyClick(view, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(view, Qt::Key_C);
        QVERIFY(fixture.find<QWidget>("comparePage")->isVisible());
        fixture.action("actionExplore")->trigger();
        view->setCurrentIndex(model.index(1));
        QTest::keyClick(view, Qt::Key_Return);
        QVERIFY(fixture.find<QWidget>("createPage")->isVisible());
        QTRY_COMPARE(fixture.window->request().request().prompt, std::string("a red ball"));
        QCOMPARE(fixture.window->request().request().seed, model.request(1).seed);
    }

    static std::vector<VideoRequest> requestsIn(const QTemporaryDir& folder, int count) {
        std::vector<VideoRequest> requests(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) {
            auto& request = requests[static_cast<std::size_t>(i)];
            request.seed = i;
            request.output.file = folder.filePath(QStringLiteral("%1.mp4").arg(i)).toStdU16String();
        }
        return requests;
    }

    void theNewestGridIsKept() {
        WindowFixture fixture(testing::healthyRun());
        const QString file = fixture.folder.filePath("kept/explore.jsonl");
        for (int i = 0; i < 5; ++i) {
            {
                ui::ExploreModel model(queueOf(fixture), fixture.window->history(), file);
                model.setRequests(requestsIn(fixture.folder, 2000));
                model.setRequests(requestsIn(fixture.folder, 1));
            }
            QFile kept(file);
            QVERIFY(kept.open(QIODevice::ReadOnly));
            QCOMPARE(kept.readAll().count('\n'), 1);
        }
    }

    void aDeletedVideoIsMissing() {
        WindowFixture fixture(testing::healthyRun());
        const QString video = fixture.folder.filePath("0.mp4");
        QVERIFY(QFile(video).open(QIODevice::WriteOnly));
        ui::ExploreModel model(queueOf(fixture), fixture.window->history(), {});
        model.showAgain(requestsIn(fixture.folder, 2));
        QTRY_COMPARE(model.state(0), ui::TileState::done);
        QTRY_COMPARE(model.state(1), ui::TileState::missing);
        QVERIFY(QFile::remove(video));
        fixture.window->history().scan(fixture.folder.path());
        QTRY_COMPARE(model.state(0), ui::TileState::missing);
    }

    void theNewestJobOfAFileCounts() {
        WindowFixture fixture([](const VideoRequest& request) {
            const Error gone(ErrorCode::file_not_found, "gone");
            return request.prompt == "bad" ? std::vector<RunEvent>{RunFailed{gone}} : testing::healthyRun()(request);
        });
        QVERIFY(fixture.isReady());
        std::vector<VideoRequest> requests = requestsIn(fixture.folder, 1);
        QVERIFY(QFile(fixture.folder.filePath("0.mp4")).open(QIODevice::WriteOnly));
        requests[0].prompt = "bad";
        fixture.bridge->submit(requests[0]);
        QTRY_COMPARE(queueOf(fixture).numFailed(), 1);
        requests[0].prompt = "good";
        fixture.bridge->submit(requests[0]);
        ui::ExploreModel model(queueOf(fixture), fixture.window->history(), {});
        model.setRequests(requests);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(0), ui::TileState::done, 20000);
    }

    void aRefusedJobIsNotAwaited() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* view = fixture.find<QListView>("exploreView");
        auto& model = *static_cast<ui::ExploreModel*>(view->model());
        model.setRequests(requestsIn(fixture.folder, 1));
        QCOMPARE(model.state(0), ui::TileState::waiting);
        Q_EMIT fixture.bridge->orderRefused(Error(ErrorCode::bad_request, "refused"));
        QTRY_COMPARE(model.state(0), ui::TileState::missing);
    }

    void aClearedGridComesBack() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        auto& model = *static_cast<ui::ExploreModel*>(fixture.find<QListView>("exploreView")->model());
        model.showAgain(requestsIn(fixture.folder, 3));
        auto* clear = fixture.find<QPushButton>("exploreClearButton");
        clear->setFocus();
        clear->click();
        QCOMPARE(model.rowCount(), 0);
        auto* strip = fixture.find<ui::NoticeStrip>("exploreStrip");
        auto* undo = fixture.find<QPushButton>("exploreStripActionButton");
        QVERIFY(strip->isVisible());
        QTRY_COMPARE(fixture.window->focusWidget(), undo);
        undo->click();
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(!strip->isVisible());
        QTRY_COMPARE(fixture.window->focusWidget(), fixture.find<QListView>("exploreView"));
    }

    void aClosedNoticeOfAClearedGridLeavesTheFocusInThePrompt() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        auto* view = fixture.find<QListView>("exploreView");
        static_cast<ui::ExploreModel*>(view->model())->showAgain(requestsIn(fixture.folder, 3));
        fixture.find<QPushButton>("exploreClearButton")->click();
        fixture.find<QToolButton>("exploreStripCloseButton")->click();
        QTRY_COMPARE(fixture.window->focusWidget(), fixture.find<QPlainTextEdit>("explorePromptEdit"));
    }

    void aClearedGridDoesNotReplaceANewerOne() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        auto& model = *static_cast<ui::ExploreModel*>(fixture.find<QListView>("exploreView")->model());
        model.showAgain(requestsIn(fixture.folder, 3));
        fixture.find<QPushButton>("exploreClearButton")->click();
        QVERIFY(fixture.find<ui::NoticeStrip>("exploreStrip")->isVisible());
        fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText("a {red|green} ball");
        fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(1);
        fixture.find<QPushButton>("exploreButton")->click();
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(!fixture.find<ui::NoticeStrip>("exploreStrip")->isVisible());
    }

    void aSingleVideoOfExploreAppearsInTheGrid() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText("a ball");
        fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(1);
        fixture.find<QPushButton>("exploreButton")->click();
        const auto* model = fixture.find<QListView>("exploreView")->model();
        QCOMPARE(model->rowCount(), 1);
        fixture.action("actionCreate")->trigger();
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText("a cube");
        fixture.action("actionGenerate")->trigger();  // a single video of Create leaves the grid as it is
        QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("a ball"));
    }

    void tooManyVideosAreNotOffered() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        const auto seed = fixture.window->request().request().seed;
        fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(64);
        fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText(QStringLiteral("{a|b}").repeated(4));
        QVERIFY(!fixture.find<QPushButton>("exploreButton")->isEnabled());
        QVERIFY(fixture.find<ui::MessageLine>("exploreMessage")->text().contains("1000"));
        fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(62);
        QVERIFY(fixture.find<QPushButton>("exploreButton")->isEnabled());
        QCOMPARE(fixture.window->request().request().seed, seed);
    }

    void tooManyAlternativesAreAFault() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText(QStringLiteral("{a|b|c|d}").repeated(6));
        QVERIFY(!fixture.window->request().canRun());
        QTRY_VERIFY(!fixture.find<QPushButton>("generateButton")->isEnabled());
        QVERIFY(fixture.find<ui::MessageLine>("promptMessage")->text().contains("1000 combinations"));
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText(QStringLiteral("{a|b}").repeated(9));
        fixture.find<QSpinBox>("countSpin")->setValue(64);
        fixture.find<QPushButton>("generateButton")->click();  // 512 prompts are accepted, 32768 videos are not
        QCOMPARE(queueOf(fixture).rowCount(), 0);
        QVERIFY(fixture.find<ui::NoticeStrip>("noticeStrip")->isVisible());
    }

    void everyControlOfTheLibraryHasAName() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        for (QWidget* widget : fixture.window->libraryPage()->findChildren<QWidget*>()) {
            const bool control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                                 qobject_cast<QListView*>(widget);
            const bool shown = widget->isVisibleTo(fixture.window->libraryPage());
            if (!control || !shown || widget->objectName().startsWith("qt_")) continue;
            auto* button = qobject_cast<QAbstractButton*>(widget);
            const bool said = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()) ||
                              qobject_cast<QLineEdit*>(widget->parentWidget());
            QVERIFY2(said, qPrintable(widget->objectName() + " in " + widget->parentWidget()->objectName()));
        }
    }
};

QTEST_MAIN(TestLibraryWindow)
#include "test_library_window.moc"
