#include <QtTest>

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QThreadPool>
#include <QTimer>
#include <QToolButton>
#include <atomic>
#include <chrono>
#include <memory>
#include <set>

#include "tests/support/chinese.h"
#include "tests/support/small_disk.h"
#include "tests/support/window_fixture.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/queue_delegate.h"
#include "ui/panels/run_panel.h"
#include "ui/text/words.h"
#include "ui/widgets/language.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/notice_strip.h"
#include "ui/windows/desktop.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/quit_guard.h"
#include "ui/windows/recovery_dialog.h"

using namespace kinescope;
using testing::WindowFixture;
using ui::RunState;

namespace {

int steps(WindowFixture& fixture) {
    return static_cast<int>(fixture.window->run().facts().progress.stepSeconds.size());
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

/// Counts how often the view asks for the height of a row.
class CountingDelegate : public QStyledItemDelegate {
public:
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        ++asked_;
        return {100, 60};
    }
    int asked() const { return asked_; }

private:
    mutable int asked_ = 0;
};

QTimer* quitTimer(WindowFixture& fixture) {
    return fixture.window->findChild<ui::QuitGuard*>()->findChild<QTimer*>();
}

/// Answers the question how to quit with "Finish, then quit". Returns false if that fails.
bool finishesThenQuits(WindowFixture& fixture) {
    if (!fixture.isReady()) return false;
    fixture.action("actionGenerate")->trigger();
    if (!QTest::qWaitFor([&fixture] { return steps(fixture) == 4; })) return false;
    fixture.quitAnswer = ui::QuitAnswer::finishThenQuit;
    quitTimer(fixture)->setInterval(0);
    return !fixture.window->close();
}

}  // namespace

/// Jobs in the window, and what happens to them when it is closed and opened again.
class TestQueueWindow : public QObject {
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
        QTRY_COMPARE(fixture.queue().rowCount(), 2);
        const QModelIndex waiting = fixture.queue().index(1);
        QCOMPARE(waiting.data().toString(), name);
        QVERIFY(waiting.data(Qt::AccessibleTextRole).toString().startsWith(name));
        fixture.queue().remove(fixture.queue().job(1).id);
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
        QTRY_COMPARE(fixture.queue().numOpen(), 2);
        fixture.release();
        QTRY_COMPARE(fixture.queue().numFailed(), 1);
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QTRY_VERIFY(strip->accessibleName().contains("“bad”: File not found. “gone.gguf” was not found."));
        QCOMPARE(strip->toolTip(), QStringLiteral("There is no file /m/gone.gguf."));
        QCOMPARE(fixture.find<QToolButton>("queueButton")->text(), QStringLiteral("1 failed"));
        const QModelIndex row = fixture.queue().index(0);  // open jobs come before finished ones
        QVERIFY(row.data(ui::QueueModel::ReasonRole).toString().startsWith("“gone.gguf” was not found."));
        QVERIFY(row.data(Qt::ToolTipRole).toString().endsWith("There is no file /m/gone.gguf."));
        QCOMPARE(fixture.window->run().state(), RunState::done);  // the previous video stays visible

        *broken = false;
        Q_EMIT strip->actionTriggered();
        QTRY_COMPARE(fixture.queue().numFailed(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(fixture.queue().numOpen(), 0, 20000);
        for (const Job& job : fixture.bridge->jobs()) QCOMPARE(job.state, JobState::finished);
    }

    /// The next job replaces the page's own message at once.
    void aFailureBeforeTheNextJobIsNotLost() {
        WindowFixture fixture(
            [](const VideoRequest& request) {
                return request.prompt == "bad" ? testing::notFiniteRun(8)(request) : testing::healthyRun()(request);
            },
            testing::kFourSteps);
        QVERIFY(fixture.isReady());
        auto* button = fixture.find<QPushButton>("generateButton");
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText("bad");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(steps(fixture), 4);
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText("good");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(fixture.queue().numOpen(), 2);
        fixture.release();
        QTRY_COMPARE(fixture.queue().numFailed(), 1);
        QVERIFY(fixture.reaches(RunState::done));
        QVERIFY(fixture.find<ui::NoticeStrip>("noticeStrip")->text().startsWith("A queued job failed: “bad”"));
    }

    void aFixRemovesTheFailedJob() {
        WindowFixture fixture(testing::failingRun(Error(ErrorCode::internal, "no")));
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::failed));
        QTRY_COMPARE(fixture.queue().numFailed(), 1);
        const JobId first = fixture.queue().job(0).id;
        QTest::mouseClick(fixture.find<QPushButton>("fixButton1"), Qt::LeftButton);
        QTRY_COMPARE(fixture.queue().rowOf(first), -1);
        QTRY_COMPARE(fixture.queue().numFailed(), 1);  // the retry fails, too
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
        QTRY_COMPARE(fixture.queue().numOpen(), 5);
        QCOMPARE(fixture.find<QToolButton>("queueButton")->text(), QStringLiteral("4 in queue"));
        std::set<std::filesystem::path> files;
        for (const Job& job : fixture.bridge->jobs()) files.insert(job.request.output.file);
        QCOMPARE(files.size(), std::size_t{5});
        fixture.release();
        QTRY_COMPARE_WITH_TIMEOUT(fixture.queue().numOpen(), 0, 20000);
        for (const Job& job : fixture.bridge->jobs()) QCOMPARE(job.state, JobState::finished);
    }

    void theQueueIsOperatedByKeyboard() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.find<QSpinBox>("countSpin")->setValue(4);
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(fixture.queue().numOpen(), 4);
        QTRY_COMPARE(steps(fixture), 4);
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("queueView");
        QVERIFY(view->isVisible());
        const JobId last = fixture.queue().job(3).id;
        view->setCurrentIndex(fixture.queue().index(3));
        QTest::keyClick(view, Qt::Key_Up, Qt::AltModifier);
        QTRY_COMPARE(fixture.queue().rowOf(last), 2);
        view->setCurrentIndex(fixture.queue().index(2));
        QTest::keyClick(view, Qt::Key_Delete);
        QCOMPARE(fixture.queue().rowOf(last), -1);
        QVERIFY(fixture.find<ui::NoticeStrip>("queueStrip")->isVisible());
        Q_EMIT fixture.find<ui::NoticeStrip>("queueStrip")->actionTriggered();
        QCOMPARE(fixture.queue().rowOf(last), 2);
        view->setCurrentIndex(fixture.queue().index(2));
        QTest::keyClick(view, Qt::Key_D, Qt::ControlModifier);
        QTRY_COMPARE(fixture.queue().numOpen(), 5);

        view->setCurrentIndex(fixture.queue().index(2));
        QTest::keyClick(view, Qt::Key_Return);
        auto* button = fixture.find<QPushButton>("generateButton");
        QVERIFY(button->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Update job"));
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText("A white ball drops");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(fixture.queue().job(2).request.prompt, std::string("A white ball drops"));
        QTRY_COMPARE(button->text(), QStringLiteral("Add 4 to queue"));
    }

    void theSelectedJobStaysSelected() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.find<QSpinBox>("countSpin")->setValue(5);
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(fixture.queue().numOpen(), 5);
        QTRY_COMPARE(steps(fixture), 4);
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("queueView");
        const JobId first = fixture.queue().job(1).id;
        const JobId last = fixture.queue().job(4).id;
        view->setCurrentIndex(fixture.queue().index(4));
        const auto isSelected = [&](JobId job) {
            const QModelIndex index = fixture.queue().index(fixture.queue().rowOf(job));
            return view->currentIndex() == index && view->selectionModel()->selectedIndexes() == QModelIndexList{index};
        };
        for (int row = 3; row >= 1; --row) {
            QTest::keyClick(view, Qt::Key_Up, Qt::AltModifier);
            QTRY_COMPARE(fixture.queue().rowOf(last), row);
            QVERIFY(isSelected(last));
        }
        fixture.engine->queue().remove(first);  // as kinescope-cli does
        QTRY_COMPARE(fixture.queue().rowOf(first), -1);
        QVERIFY(isSelected(last));
        QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier);
        QTRY_COMPARE(fixture.queue().rowOf(last), 2);
        QVERIFY(isSelected(last));
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

    void aDialogDelaysQuitting() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(finishesThenQuits(fixture));
        QDialog dialog(fixture.window.get());
        dialog.open();
        QSignalSpy ticks(quitTimer(fixture), &QTimer::timeout);
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
        QTRY_VERIFY(ticks.count() > 2);
        QVERIFY(fixture.window->isVisible());
        dialog.reject();
        QTRY_VERIFY(!fixture.window->isVisible());
    }

    void quittingCanBeCalledOffAfterAnotherNotice_data() {
        QTest::addColumn<bool>("byButton");
        QTest::newRow("keep open") << true;
        QTest::newRow("close the notice") << false;
    }

    /// The window does not close before the notice is displayed again.
    void quittingCanBeCalledOffAfterAnotherNotice() {
        QFETCH(bool, byButton);
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(finishesThenQuits(fixture));
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QVERIFY(strip->accessibleName().startsWith("Kinescope closes"));
        auto* board = fixture.window->findChild<ui::NoticeBoard*>(QString(), Qt::FindDirectChildrenOnly);
        board->findChild<QTimer*>()->setInterval(std::chrono::hours(1));
        Q_EMIT fixture.window->queueController().confirmed("Added to the queue:", "1 video");
        QVERIFY(strip->accessibleName().startsWith("Added"));
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
        QVERIFY(fixture.window->isVisible());
        Q_EMIT strip->dismissed();
        QVERIFY(strip->accessibleName().startsWith("Kinescope closes"));
        if (byButton)
            Q_EMIT strip->actionTriggered();
        else
            Q_EMIT strip->dismissed();
        QVERIFY(!quitTimer(fixture)->isActive());
        QVERIFY(fixture.window->isVisible());
    }

    void keepingTheWindowOpenLeavesTheQueueAsItWas_data() {
        QTest::addColumn<bool>("wasPaused");
        QTest::newRow("the user has paused it") << true;
        QTest::newRow("it runs") << false;
    }

    void keepingTheWindowOpenLeavesTheQueueAsItWas() {
        QFETCH(bool, wasPaused);
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.find<QSpinBox>("countSpin")->setValue(2);
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(steps(fixture), 4);
        QTRY_COMPARE(fixture.queue().numOpen(), 2);
        if (wasPaused) fixture.bridge->holdQueue();
        fixture.quitAnswer = ui::QuitAnswer::finishThenQuit;
        QVERIFY(!fixture.window->close());
        QVERIFY(fixture.bridge->isHeld());
        Q_EMIT fixture.find<ui::NoticeStrip>("noticeStrip")->actionTriggered();
        QCOMPARE(fixture.bridge->isHeld(), wasPaused);
        fixture.release();
    }

    void keepingTheWindowOpenWakesNoJobOfAnEarlierSession() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps, [](testing::FakeEngine& engine) {
            engine.queue().leaveBehind({leftBehind(JobState::waiting, 0)});
        });
        QVERIFY(finishesThenQuits(fixture));
        Q_EMIT fixture.find<ui::NoticeStrip>("noticeStrip")->actionTriggered();
        QVERIFY(fixture.bridge->sleeps(fixture.bridge->jobs().front()));
        QVERIFY(!fixture.bridge->isHeld());
        QVERIFY(!fixture.window->close());
        fixture.bridge->submit(with_defaults({}, testing::demoCard()));
        QTRY_VERIFY(fixture.bridge->isHeld());  // the new job must not start
        fixture.release();
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
        QTRY_COMPARE(fixture.queue().numOpen(), videos);
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
        const auto* sentence = dialog.findChild<QLabel*>("questionSentenceLabel");
        QVERIFY(sentence->text().startsWith("5:02 left."));
        dialog.setQuestion({65.0, 31});  // it may be open for hours
        QVERIFY(sentence->text().startsWith("1:05 left."));
        QVERIFY(sentence->text().contains("continues from step 31"));
        QVERIFY(dialog.findChild<QPushButton*>("continueLaterButton")->isDefault());
        dialog.show();
        QTest::keyClick(&dialog, Qt::Key_Escape);
        QCOMPARE(dialog.answer(), ui::QuitAnswer::keepWorking);
    }

    /// For example that the disk is full and the steps are not saved.
    void aWarningAboutTheRunIsShownAndKeepsTheWindowOpen() {
        WindowFixture fixture(
            [](const VideoRequest& request) {
                std::vector<RunEvent> events = testing::healthyRun()(request);
                events.insert(events.begin() + 1, LogLine{LogLineLevel::warning, "the disk is full: no step is saved",
                                                          LogTopic::unsaved_steps});
                return events;
            },
            testing::kFourSteps + 1);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(steps(fixture), 4);
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QVERIFY(strip->text().endsWith("The disk is full: no step is saved."));
        QVERIFY(!fixture.find<QWidget>("logPanel")->isVisible());
        Q_EMIT strip->actionTriggered();
        QVERIFY(fixture.find<QWidget>("logPanel")->isVisible());
        fixture.quitAnswer = ui::QuitAnswer::keepWorking;
        QVERIFY(!fixture.window->close());
        QVERIFY(fixture.quitQuestion.isWarned);
        const ui::QuitDialog dialog(fixture.theme, fixture.quitQuestion);
        QVERIFY(dialog.findChild<QLabel*>("questionSentenceLabel")->text().contains("may not be saved"));
        QVERIFY(dialog.findChild<QPushButton*>("keepWorkingButton")->isDefault());
        fixture.release();
    }

    void aWarningDuringTheQuitQuestionChangesTheAnswerToEnter() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(steps(fixture), 4);
        const ui::Desktop desktop;  // shows the real dialog
        auto* board = fixture.window->findChild<ui::NoticeBoard*>(QString(), Qt::FindDirectChildrenOnly);
        ui::QuitGuard guard(*fixture.window, {fixture.theme, *fixture.bridge, fixture.window->run(),
                                              fixture.window->queueController(), *board, desktop});
        QString before, after, primary;
        QTimer::singleShot(0, fixture.window.get(), [&] {
            const QWidget* dialog = QApplication::activeModalWidget();
            const auto nameOfDefault = [dialog] {
                for (const QPushButton* button : dialog->findChildren<QPushButton*>())
                    if (button->isDefault()) return button->objectName();
                return QString();
            };
            before = nameOfDefault();
            const LogLine line{LogLineLevel::warning, "the disk is full", LogTopic::unsaved_steps};
            Q_EMIT fixture.bridge->runEventsArrived({{fixture.window->run().facts().job, line}});
            Q_EMIT fixture.bridge->eventsArrived({line});
            after = nameOfDefault();
            for (const QPushButton* button : dialog->findChildren<QPushButton*>())
                if (button->property("role") == QLatin1String("primary")) primary += button->objectName();
            QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Escape);
        });
        QVERIFY(!guard.mayQuit());
        QCOMPARE(before, QStringLiteral("continueLaterButton"));
        QCOMPARE(after, QStringLiteral("keepWorkingButton"));
        QCOMPARE(primary, after);
        fixture.release();
    }

    void theQuitDialogGrowsWithItsText() {
        WindowFixture fixture(testing::healthyRun());
        ui::QuitDialog dialog(fixture.theme, {});
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const auto* sentence = dialog.findChild<QLabel*>("questionSentenceLabel");
        dialog.resize(dialog.minimumSize());
        dialog.setQuestion({302.0, 23, true});
        QTRY_VERIFY(sentence->height() >= sentence->heightForWidth(sentence->width()));
        QCOMPARE(sentence->accessibleName(), sentence->text());
        QCOMPARE(dialog.accessibleDescription(), sentence->text());
    }

    /// For example about the device, or about a file that only the numbers go to.
    void anotherWarningSaysNothingAboutTheSteps() {
        WindowFixture fixture(
            [](const VideoRequest& request) {
                std::vector<RunEvent> events = testing::healthyRun()(request);
                events.insert(events.begin() + 1, LogLine{LogLineLevel::warning, "cuda:0: now runs with float32"});
                return events;
            },
            testing::kFourSteps + 1);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(steps(fixture), 4);
        QVERIFY(fixture.find<ui::NoticeStrip>("noticeStrip")->text().endsWith("now runs with float32."));
        fixture.quitAnswer = ui::QuitAnswer::keepWorking;
        QVERIFY(!fixture.window->close());
        QVERIFY(!fixture.quitQuestion.isWarned);
        fixture.release();
    }

    /// The disk may have space again. The engine warns once per run.
    void aRunThatGoesOnSavesItsStepsAgain() {
        WindowFixture fixture(
            [](const VideoRequest& request) {
                std::vector<RunEvent> events = testing::healthyRun()(request);
                events.insert(events.begin() + 1,
                              LogLine{LogLineLevel::warning, "the disk is full", LogTopic::unsaved_steps});
                return events;
            },
            testing::kFourSteps);
        QVERIFY(fixture.isReady());
        const auto isWarned = [&fixture] { return fixture.window->queueController().quitQuestion().isWarned; };
        fixture.action("actionGenerate")->trigger();
        QTRY_VERIFY(isWarned());
        const JobId job = fixture.window->run().facts().job;
        const auto send = [&](const ui::WindowEvent& event) {
            Q_EMIT fixture.bridge->runEventsArrived({{job, event}});
        };
        send(RunStarted{});
        QVERIFY(!isWarned());
        send(LogLine{LogLineLevel::warning, "the disk is full", LogTopic::unsaved_steps});
        QVERIFY(isWarned());
        fixture.release();
    }

    void asksWhetherToResumeAfterACrash() {
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [](testing::FakeEngine& engine) {
            engine.queue().leaveBehind({leftBehind(JobState::interrupted, 7)});
        });
        QTRY_VERIFY(fixture.window->findChild<ui::RecoveryDialog*>());
        auto* dialog = fixture.window->findChild<ui::RecoveryDialog*>();
        auto* go = dialog->findChild<QPushButton*>("recoverButton");
        QCOMPARE(go->text(), QStringLiteral("Continue from step 8"));
        QCOMPARE(dialog->mode(), ui::RecoveryMode::normal);
        QTest::mouseClick(go, Qt::LeftButton);
        QVERIFY(fixture.reaches(RunState::done));
    }

    /// They do not start by themselves, because the user may have other plans.
    void jobsOfAnEarlierSessionAreOffered_data() {
        QTest::addColumn<bool>("byLink");
        QTest::newRow("notice") << false;
        QTest::newRow("link") << true;
    }
    void jobsOfAnEarlierSessionAreOffered() {
        QFETCH(bool, byLink);
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [](testing::FakeEngine& engine) {
            std::vector<Job> jobs(2, leftBehind(JobState::waiting, 0));
            jobs[1].id = 6;
            engine.queue().leaveBehind(jobs);
        });
        QVERIFY(fixture.isReady());
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QTRY_VERIFY(strip->text().startsWith("Jobs are waiting"));
        const QModelIndex row = fixture.queue().index(0);
        QCOMPARE(ui::linkText(row), QStringLiteral("Start all"));
        auto* delegate = fixture.window->findChild<ui::QueueDelegate*>();
        if (byLink)
            Q_EMIT delegate->linkActivated(row);
        else
            Q_EMIT strip->actionTriggered();
        for (const JobId id : {5, 6}) QTRY_COMPARE(fixture.engine->queue().job(id)->state, JobState::finished);
        QVERIFY(!strip->text().startsWith("Jobs are waiting") || !strip->hasNotice());
    }

    void theOfferOfWaitingJobsChangesItsLanguage() {
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [](testing::FakeEngine& engine) {
            engine.queue().leaveBehind({leftBehind(JobState::waiting, 0)});
        });
        QVERIFY(fixture.isReady());
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QTRY_VERIFY(strip->text().startsWith("Jobs are waiting"));
        ui::chooseLanguage(QStringLiteral("zh_CN"));
        const bool isTranslated =
            QTest::qWaitFor([strip] { return strip->hasNotice() && testing::isChinese(strip->text()); });
        ui::chooseLanguage(QStringLiteral("en"));
        QVERIFY(isTranslated);
    }

    /// Power cuts are crashes, too: the answer to Enter must not discard hours of work.
    void safeModeIsPreselectedOnlyIfNoStepIsFinished_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<bool>("isPreselected");
        QTest::addColumn<QString>("button");
        QTest::newRow("no step") << 0 << true << "Continue";
        QTest::newRow("7 steps") << 7 << false << "Continue from step 8";
        QTest::newRow("all steps") << 12 << false << "Continue";
    }
    void safeModeIsPreselectedOnlyIfNoStepIsFinished() {
        QFETCH(int, step);
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [step](testing::FakeEngine& engine) {
            engine.queue().leaveBehind({leftBehind(JobState::interrupted, step)});
        });
        fixture.settings.setValue("queue/crashes", 3);
        QTRY_VERIFY(fixture.window->findChild<ui::RecoveryDialog*>());
        auto* dialog = fixture.window->findChild<ui::RecoveryDialog*>();
        auto* safe = dialog->findChild<QCheckBox*>("safeModeCheck");
        QTEST(safe->isChecked(), "isPreselected");
        auto* go = dialog->findChild<QPushButton*>("recoverButton");
        QTEST(go->text(), "button");
        safe->setChecked(true);
        QCOMPARE(go->text(), step > 0 ? QStringLiteral("Start over on the CPU") : QStringLiteral("Continue"));
        auto* anew = dialog->findChild<QPushButton*>("recoverAnewButton");
        QVERIFY2(!anew->isEnabled(), "it would do the same");
        safe->setChecked(false);
        QVERIFY(anew->isEnabled());
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
        QTRY_COMPARE(fixture.queue().index(0).data().toString(), "Wan 2.1 1.3B, " + time);
    }

    void theQuestionGrowsWithItsFacts() {
        const Job job = leftBehind(JobState::interrupted, 7);
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1),
                              [&job](testing::FakeEngine& engine) { engine.queue().leaveBehind({job}); });
        QTRY_VERIFY(fixture.window->findChild<ui::RecoveryDialog*>());
        auto* dialog = fixture.window->findChild<ui::RecoveryDialog*>();
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        auto* facts = dialog->findChild<QLabel*>("recoverFactsLabel");
        facts->setText(QStringLiteral("a model with a long name, ").repeated(20));
        QTRY_VERIFY(facts->height() >= facts->heightForWidth(facts->width()));
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
        QCOMPARE(dialog->findChild<QPushButton*>("recoverButton")->text(), QStringLiteral("Continue from step 4"));
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
        QTRY_COMPARE(fixture.queue().rowCount(), 1);
        const QModelIndex row = fixture.queue().index(0);
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
            return fixture.queue().index(fixture.queue().rowOf(id)).data(ui::QueueModel::PictureRole).value<QImage>();
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
        QVERIFY(fixture.isReady());
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

    /// The times of all jobs change with every step, and a row takes about 0.1 ms.
    void aHiddenQueueMeasuresNoRows() {
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [](testing::FakeEngine& engine) {
            std::vector<Job> jobs(100, leftBehind(JobState::waiting, 0));
            for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].id = static_cast<JobId>(i + 1);
            engine.queue().leaveBehind(jobs);
        });
        QVERIFY(fixture.isReady());
        QTRY_COMPARE(fixture.queue().rowCount(), 100);
        auto* view = fixture.find<QListView>("queueView");
        QVERIFY(!view->isVisible());
        CountingDelegate delegate;
        view->setItemDelegate(&delegate);
        Q_EMIT fixture.queue().dataChanged(fixture.queue().index(0), fixture.queue().index(99));
        QCoreApplication::processEvents();
        QCOMPARE(delegate.asked(), 0);
    }

    /// The texts of the other language can need more lines.
    void aNewLanguageMeasuresTheRowsAgain() {
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1), [](testing::FakeEngine& engine) {
            engine.queue().leaveBehind({leftBehind(JobState::waiting, 0)});
        });
        QVERIFY(fixture.isReady());
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        QTRY_COMPARE(fixture.queue().rowCount(), 1);
        auto* view = fixture.find<QListView>("queueView");
        QTRY_VERIFY(view->isVisible() && view->visualRect(fixture.queue().index(0)).height() > 0);
        CountingDelegate delegate;
        view->setItemDelegate(&delegate);
        QCoreApplication::processEvents();
        const int asked = delegate.asked();
        ui::chooseLanguage(QStringLiteral("zh_CN"));
        const bool isMeasured = QTest::qWaitFor([&] { return delegate.asked() > asked; });
        ui::chooseLanguage(QStringLiteral("en"));
        view->setItemDelegate(fixture.window->findChild<ui::QueueDelegate*>());
        QVERIFY(isMeasured);
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
            QVERIFY(QThreadPool::globalInstance()->waitForDone());
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("kept"));
        QTRY_VERIFY(fixture.find<ui::NoticeStrip>("libraryNotice")->text().startsWith("Export failed:"));
    }
};

QTEST_MAIN(TestQueueWindow)
#include "test_queue_window.moc"
