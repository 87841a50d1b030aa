#include <QtTest>

#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTextEdit>
#include <QToolButton>
#include <algorithm>

#include "tests/support/window_fixture.h"
#include "ui/models/request_model.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/numbers_panel.h"
#include "ui/panels/preview_panel.h"
#include "ui/panels/run_panel.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/event_card.h"
#include "ui/widgets/film_strip.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/language.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/plots/plot_view.h"
#include "ui/widgets/plots/step_cursor.h"
#include "ui/widgets/traffic_light.h"
#include "ui/windows/notice_board.h"

using namespace kinescope;
using testing::WindowFixture;
using ui::RunState;

namespace {

/// Counts the repaints of a widget.
class PaintCounter : public QObject {
public:
    explicit PaintCounter(QWidget* widget) { widget->installEventFilter(this); }
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++count;
        return false;
    }
};

/// Returns true if the preview shows the picture of this step. healthyRun() has 12 steps.
bool showsStep(const ui::FramePlayer& player, int step) {
    return player.valueText() == QStringLiteral("Step %1 of 12").arg(step);
}

}  // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstStart() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* prompt = fixture.find<QPlainTextEdit>("promptEdit");
        QCOMPARE(prompt->toPlainText(), QString::fromStdString(testing::demoCard().example_prompts.front()));
        QCOMPARE(prompt->textCursor().selectedText(), prompt->toPlainText());
        QVERIFY(fixture.find<QPushButton>("generateButton")->isEnabled());
        QCOMPARE(fixture.find<QLabel>("generateAdviceLabel")->text(), QStringLiteral("About 20 s on this computer"));
        QTRY_COMPARE(fixture.find<QLabel>("tokensLabel")->text(), QStringLiteral("9 of 64 tokens"));
        QVERIFY(!QApplication::activeModalWidget());
    }

    void generatesAVideo() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QStringList states;
        connect(&fixture.window->run(), &ui::RunModel::stateChanged, this,
                [&](RunState state) { states << ui::runStateName(state); });
        QSet<QString> kinds;
        connect(&fixture.window->run(), &ui::RunModel::progressed, this,
                [&] { kinds.insert(fixture.window->createPage()->previewPanel()->kind()); });
        QTest::mouseClick(fixture.find<QPushButton>("generateButton"), Qt::LeftButton);
        QVERIFY(fixture.reaches(RunState::done));
        QCOMPARE(states, (QStringList{"planning", "loading", "encoding", "denoising", "decoding", "saving", "done"}));
        QCOMPARE(fixture.window->createPage()->previewPanel()->kind(), QStringLiteral("final"));
        QCOMPARE(fixture.find<ui::RunPanel>("runPanel")->property("state").toString(), QStringLiteral("done"));

        auto* show = fixture.find<QPushButton>("showInFolderButton");
        QVERIFY(show->isVisible());
        QTest::mouseClick(show, Qt::LeftButton);
        QCOMPARE(fixture.shownInFolder, 1);
        QVERIFY(QFile::exists(fixture.lastShown));
        const QString seed = QString::number(*fixture.window->run().facts().request.seed);
        const QString date = QDate::currentDate().toString(Qt::ISODate);
        QCOMPARE(QFileInfo(fixture.lastShown).fileName(),
                 QString(date + "-a-red-ball-bounces-past-a-blue-" + seed + ".mp4"));
    }

    void theRunningJobIsNotCountedAsQueued() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        auto* queue = fixture.find<QToolButton>("queueButton");
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::denoising));
        QTRY_VERIFY2(!queue->isVisible(), qPrintable(queue->text()));
        fixture.action("actionAddToQueue")->trigger();
        QTRY_COMPARE(queue->text(), QStringLiteral("1 in queue"));
        QVERIFY(queue->isVisible());
        fixture.release();
    }

    void aPauseHoldsTheQueue() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::denoising));
        const JobId first = fixture.window->run().facts().job;
        fixture.action("actionAddToQueue")->trigger();
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{2});
        fixture.window->run().pause();
        QVERIFY(fixture.reaches(RunState::paused));
        QTest::qWait(200);
        QCOMPARE(fixture.window->run().facts().job, first);
        QCOMPARE(fixture.bridge->jobs()[1].state, JobState::waiting);
        fixture.release();
        fixture.window->run().proceed();
        QTRY_VERIFY_WITH_TIMEOUT(
            std::ranges::all_of(fixture.bridge->jobs(), [](const Job& job) { return job.state == JobState::finished; }),
            20'000);
        QVERIFY(!fixture.bridge->isHeld());
    }

    void theTimeEstimateIsUpdatedAfterARun() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        bool isPlannedAfterwards = false;
        connect(fixture.bridge.get(), &ui::EngineBridge::planMade, this,
                [&] { isPlannedAfterwards = fixture.window->run().state() == RunState::done; });
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        QTRY_VERIFY(isPlannedAfterwards);
    }

    void theTitleShowsProgressAndPrompt() {
        WindowFixture fixture(testing::healthyRun(), 6 + 3 * 5);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::denoising));
        QTRY_VERIFY(fixture.window->windowTitle().contains(
            QString::fromUtf8("% · A red ball bounces past a blue cube — Kinescope")));
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
        QCOMPARE(fixture.window->windowTitle(), QStringLiteral("Kinescope"));
    }

    void theProgressOfAResumedRunIncludesEarlierSteps() {
        const auto resumed = [](const VideoRequest& request) {
            std::vector<RunEvent> events = testing::healthyRun()(request);
            std::erase_if(events, [](const RunEvent& event) {
                const auto* step = std::get_if<StepCompleted>(&event);
                const auto* samples = std::get_if<NumericsReady>(&event);
                return (step && step->step < 6) || (samples && samples->samples.front().step < 6);
            });
            return events;
        };
        WindowFixture fixture(resumed, 6 + 6 + 3 * 3);  // previews of 6 steps, then 3 complete steps: 9 of 12
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::denoising));
        const auto percent = [&] { return fixture.window->windowTitle().section(QLatin1Char(' '), 0, 0).toInt(); };
        QTRY_VERIFY2(percent() >= 35, qPrintable(fixture.window->windowTitle()));
        QVERIFY(percent() <= 90);
        fixture.release();
    }

    void aPinnedStepIsShownInThePreview() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        fixture.window->resize(1920, 1080);
        QVERIFY(fixture.isReady());
        auto* strip = fixture.find<ui::FilmStrip>("filmStrip");
        QVERIFY(!strip->isVisible());
        fixture.action("actionGenerate")->trigger();
        QTRY_VERIFY(!strip->shownSteps().isEmpty());
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
        QTRY_VERIFY(strip->isVisible());
        const QList<int> steps = strip->shownSteps();  // previews that arrive together are not all kept
        QCOMPARE(steps.constLast(), 12);
        auto* player = fixture.find<ui::FramePlayer>("framePlayer");
        QTRY_COMPARE(player->kind(), ui::FramePlayer::Kind::final);
        const QSize video = player->currentImage().size();
        ui::StepCursor* cursor = fixture.window->createPage()->numbersPanel()->cursor();
        cursor->pin(steps.constFirst());
        QCOMPARE(strip->selected(), steps.constFirst());
        QVERIFY(showsStep(*player, steps.constFirst()));
        QVERIFY(!player->isPlaying());
        QCOMPARE(player->currentImage().size(), video);  // Save frame and Copy frame use the video
        QTest::keyClick(strip, Qt::Key_Right);
        QCOMPARE(cursor->pinned(), steps[1]);
        QVERIFY(showsStep(*player, steps[1]));
        fixture.window->resize(1280, 720);
        QTRY_VERIFY(!strip->isVisible());  // no room
    }

    void theUserReturnsFromAStepToTheVideo_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<QByteArray>("where");
        QTest::newRow("Space plays") << int{Qt::Key_Space} << QByteArray("framePlayer");
        QTest::newRow("Esc") << int{Qt::Key_Escape} << QByteArray("framePlayer");
        QTest::newRow("the slider seeks") << int{Qt::Key_Left} << QByteArray("scrubSlider");
        QTest::newRow("Esc in the strip") << int{Qt::Key_Escape} << QByteArray("filmStrip");
    }

    void theUserReturnsFromAStepToTheVideo() {
        QFETCH(int, key);
        QFETCH(QByteArray, where);
        WindowFixture fixture(testing::healthyRun());
        fixture.window->resize(1920, 1080);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        auto* player = fixture.find<ui::FramePlayer>("framePlayer");
        QTRY_COMPARE(player->kind(), ui::FramePlayer::Kind::final);
        player->pause();
        player->seek(3);
        ui::StepCursor* cursor = fixture.window->createPage()->numbersPanel()->cursor();
        cursor->pin(12);
        QVERIFY(showsStep(*player, 12));
        QTest::keyClick(fixture.find<QWidget>(where.constData()), Qt::Key(key));
        QVERIFY(!showsStep(*player, 12));
        QCOMPARE(cursor->pinned(), 0);
        QCOMPARE(fixture.find<ui::FilmStrip>("filmStrip")->selected(), 0);
        QCOMPARE(player->isPlaying(), key == Qt::Key_Space);
    }

    /// The first previews may be missing. A pin is also for the plots, so it stays without a picture.
    void aPinNeedsNoPicture() {
        const auto late = [](const VideoRequest& request) {
            std::vector<RunEvent> events = testing::healthyRun()(request);
            std::erase_if(events, [](const RunEvent& event) {
                const auto* preview = std::get_if<PreviewReady>(&event);
                return preview && preview->kind == PreviewKind::latent && preview->step < 2;
            });
            return events;
        };
        WindowFixture fixture(late);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        auto* player = fixture.find<ui::FramePlayer>("framePlayer");
        ui::StepCursor* cursor = fixture.window->createPage()->numbersPanel()->cursor();
        cursor->pin(12);
        QVERIFY(showsStep(*player, 12));
        cursor->pin(2);
        QCOMPARE(cursor->pinned(), 2);
        QCOMPARE(fixture.find<ui::FilmStrip>("filmStrip")->selected(), 0);
        QVERIFY(!player->valueText().startsWith(QStringLiteral("Step")));
    }

    void theEndOfTheRunShowsTheVideo() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        auto* strip = fixture.find<ui::FilmStrip>("filmStrip");
        auto* player = fixture.find<ui::FramePlayer>("framePlayer");
        fixture.action("actionGenerate")->trigger();
        QTRY_VERIFY(!strip->shownSteps().isEmpty());
        const int step = strip->shownSteps().constFirst();
        fixture.window->createPage()->numbersPanel()->cursor()->pin(step);
        QVERIFY(showsStep(*player, step));
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
        QVERIFY(player->isPlaying());
        QVERIFY(!showsStep(*player, step));
        QCOMPARE(strip->selected(), 0);

        QList<qsizetype> shown;
        connect(&fixture.window->run(), &ui::RunModel::stateChanged, this, [&](RunState state) {
            if (state == RunState::planning) shown << strip->shownSteps().size();
        });
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(shown, QList<qsizetype>{0});  // a new run
    }

    void anErrorIsNotReplacedByAStep() {
        WindowFixture fixture(testing::notFiniteRun(8));
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::failed));
        ui::StepCursor* cursor = fixture.window->createPage()->numbersPanel()->cursor();
        cursor->pin(8);
        QCOMPARE(cursor->pinned(), 8);
        QCOMPARE(fixture.find<ui::FilmStrip>("filmStrip")->selected(), 0);
    }

    void theStepIsToldInTheNewLanguage() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        fixture.window->createPage()->numbersPanel()->cursor()->pin(12);
        auto* player = fixture.find<ui::FramePlayer>("framePlayer");
        auto* strip = fixture.find<ui::FilmStrip>("filmStrip");
        QVERIFY(showsStep(*player, 12));
        const auto english = qScopeGuard([] { ui::chooseLanguage("en"); });
        ui::chooseLanguage("zh_CN");
        QTRY_COMPARE(player->valueText(), QString::fromUtf8("第 12 步，共 12 步"));
        QTRY_COMPARE(strip->valueText(), QString::fromUtf8("第 12 步"));
    }

    /// A cluster restarts a lost task with its last checkpoint: the run starts again without having paused.
    void theProgressOfARestartedRunDoesNotFallBack() {
        const auto from = [](int first, const VideoRequest& request) {
            std::vector<RunEvent> events = testing::healthyRun()(request);
            std::erase_if(events, [first](const RunEvent& event) {
                const auto* step = std::get_if<StepCompleted>(&event);
                const auto* samples = std::get_if<NumericsReady>(&event);
                return (step && step->step < first) || (samples && samples->samples.front().step < first);
            });
            return events;
        };
        constexpr int kLost = 6 + 6 + 3 * 3;  // previews of 6 steps, then 3 complete steps: 9 of 12
        const auto restarted = [from](const VideoRequest& request) {
            std::vector<RunEvent> events = from(6, request);
            events.resize(kLost, RunPaused{});
            const std::vector<RunEvent> again = from(8, request);
            events.insert(events.end(), again.begin(), again.end());
            return events;
        };
        WindowFixture fixture(restarted, kLost);
        QVERIFY(fixture.isReady());
        const ui::RunModel& run = fixture.window->run();
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(run.facts().progress.stepSeconds.size(), std::size_t{3});
        const auto percent = [&run] { return static_cast<int>(run.fractionDone().value_or(0) * 100); };
        const int before = percent();
        QVERIFY2(before >= 35, qPrintable(QString::number(before)));
        QList<int> percents;
        connect(&run, &ui::RunModel::stateChanged, this, [&] {
            if (run.running()) percents << percent();  // as the title shows it
        });
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
        QVERIFY(!percents.isEmpty());
        for (const int each : percents) QVERIFY2(each >= 35, qPrintable(QString::number(each)));
        QCOMPARE(run.facts().progress.stepsBefore, 6);
        QCOMPARE(run.facts().progress.stepSeconds.size(), std::size_t{6});
    }

    void escapeLeavesTheTheatreAtOnce() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        fixture.window->activateWindow();
        auto* player = fixture.window->createPage()->previewPanel()->player();
        player->setFocus();
        QTest::keyClick(player, Qt::Key_F);
        QTRY_VERIFY(!fixture.window->menuBar()->isVisible());
        auto* play = fixture.find<QToolButton>("playButton");
        QVERIFY(play && play->isVisible());
        play->setFocus();
        QTest::keyClick(play, Qt::Key_Escape);
        QVERIFY(fixture.window->menuBar()->isVisible());
    }

    void aNoticeThatEndsDuringTheTheatreStaysAway() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* board = fixture.window->findChild<ui::NoticeBoard*>(QString(), Qt::FindDirectChildrenOnly);
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        board->setStanding({});
        board->show({ui::NoticeTopic::queue, ui::Severity::warning, "A queued job failed:", "no", {}, {}});
        QVERIFY(strip->isVisible());
        ui::CreatePage* page = fixture.window->createPage();
        page->setTheatre(true);
        QVERIFY(!strip->isVisible());
        board->clear(ui::NoticeTopic::queue);
        page->setTheatre(false);
        QVERIFY(!strip->isVisible());
        QVERIFY(page->settingsDock()->isVisible());
    }

    void aFaultThatCannotBeHealedIsExplained() {
        WindowFixture fixture(testing::notFiniteRun(8));
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::failed));
        QCOMPARE(fixture.find<QLabel>("errorTitleLabel")->text(),
                 QStringLiteral("Stopped at step 9 because of invalid values (NaN or infinity)"));
        QCOMPARE(
            fixture.find<QTextEdit>("errorSentenceText")->toPlainText(),
            QStringLiteral("Block 7, attention output: invalid values (NaN or infinity). There is no finished video."));
        auto* light = fixture.find<ui::TrafficLight>("statusTrafficLight");
        QCOMPARE(light->state(), ui::TrafficLight::State::stopped);
        QVERIFY(!fixture.find<QPushButton>("showInFolderButton")->isVisible());
        QTest::mouseClick(fixture.find<QPushButton>("fixButton1"), Qt::LeftButton);
        QVERIFY(fixture.find<ui::LogPanel>("logPanel")->isVisible());
        QVERIFY(fixture.find<ui::LogPanel>("logPanel")->shownText().contains("14 NaN"));
    }

    void isNeverHealthyAfterNan() {
        WindowFixture fixture(testing::notFiniteRun(3), 6 + 3 * 3 + 1);
        QVERIFY(fixture.isReady());
        fixture.action("actionNumbers")->trigger();
        fixture.action("actionExpertNumbers")->trigger();
        fixture.action("actionGenerate")->trigger();
        auto* light = fixture.find<ui::TrafficLight>("trafficLight");
        QTRY_COMPARE(light->state(), ui::TrafficLight::State::close);
        QVERIFY(light->line().startsWith("Invalid values at step 4"));
    }

    void theNextRunRemovesEarlierCards() {
        WindowFixture fixture(testing::healedRun(3));
        QVERIFY(fixture.isReady());
        fixture.action("actionNumbers")->trigger();
        auto* numbers = fixture.find<ui::NumbersPanel>("numbersPanel");
        const auto cards = [&] { return numbers->findChildren<ui::EventCard*>(); };
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        QTRY_COMPARE(cards().size(), 1);
        const QPointer<ui::EventCard> first = cards().front();
        fixture.action("actionGenerate")->trigger();
        QTRY_VERIFY2(first.isNull(), "the card of the run before is still there");
        QVERIFY(fixture.reaches(RunState::done));
        QTRY_COMPARE(cards().size(), 1);
    }

    void aHealedStepIsCountedOnce_data() {
        QTest::addColumn<std::vector<GuardAction>>("attempts");
        QTest::addColumn<QString>("detail");
        using enum GuardAction;
        QTest::newRow("repeated, then raised") << std::vector{repeat, raise} << "Healed once, at step 4.";
        QTest::newRow("raised twice") << std::vector{raise, raise} << "Healed once, at step 4.";
        QTest::newRow("only repeated") << std::vector{repeat} << "sites measured at each step";
        QTest::newRow("known from the start") << std::vector{learned} << "1 known override applied";
    }

    void aHealedStepIsCountedOnce() {
        QFETCH(std::vector<GuardAction>, attempts);
        QFETCH(QString, detail);
        const auto script = [attempts](const VideoRequest& request) {
            std::vector<RunEvent> events = testing::healedRun(3)(request);
            const auto first =
                std::ranges::find_if(events, [](const RunEvent& e) { return std::holds_alternative<GuardActed>(e); });
            const GuardActed pattern = std::get<GuardActed>(*first);
            const auto place = events.erase(first);
            std::vector<RunEvent> acts;
            for (const GuardAction action : attempts) {
                GuardActed act = pattern;
                act.action = action;
                act.attempt = static_cast<int>(acts.size());
                acts.push_back(act);
            }
            events.insert(place, acts.begin(), acts.end());
            return events;
        };
        WindowFixture fixture(script);
        QVERIFY(fixture.isReady());
        fixture.action("actionNumbers")->trigger();
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        auto* light = fixture.find<ui::TrafficLight>("trafficLight");
        QTRY_VERIFY2(light->detail().contains(detail), qPrintable(light->detail()));
    }

    void manySamplesDoNotSlowTheWindow() {
        const auto script = [](const VideoRequest& request) {
            std::vector<RunEvent> events{RunStarted{request, testing::demoCard(), testing::demoPolicy()},
                                         PhaseStarted{Phase::denoise, 2000}};
            for (int step = 0; step < 2000; ++step) events.push_back(testing::stepSamples(step, 20));
            for (int line = 0; line < 500; ++line)
                events.push_back(LogLine{LogLineLevel::info, "line " + std::to_string(line)});
            events.push_back(RunFinished{});
            return events;
        };
        WindowFixture fixture(script);
        QVERIFY(fixture.isReady());
        fixture.action("actionNumbers")->trigger();
        fixture.action("actionExpertNumbers")->trigger();
        QTest::qWait(200);
        PaintCounter painted(fixture.find<ui::PlotView>("peakPlot"));
        fixture.action("actionGenerate")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return fixture.window->run().state() == RunState::done; }, 30000));
        QVERIFY2(painted.count <= 200, qPrintable(QString::number(painted.count)));
        QTRY_COMPARE(fixture.find<ui::PlotView>("peakPlot")->series(0).size(), 2000);
        QCOMPARE(fixture.find<ui::LogPanel>("logPanel")->shownText().count("line "), 500);
    }

    void theRunCardTellsWhatTheGuardDoes() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        constexpr std::size_t kAfterRepair = 6 + 3 * 2 + 2;
        WindowFixture fixture(testing::healedRun(2), kAfterRepair);
        QVERIFY(fixture.isReady());
        auto* chip = fixture.find<ui::Chip>("healingChip");
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(chip->text(), QStringLiteral("Healing step 3"));
        QVERIFY(chip->isVisible());
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
        QCOMPARE(chip->text(), QStringLiteral("Healed once, 1.4 s"));
    }

    void aHealthyRunSaysNothingAboutHealing() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        QVERIFY(!fixture.find<ui::Chip>("healingChip")->isVisible());
    }

    void stopEndsTheRun() {
        WindowFixture fixture(testing::healthyRun(), 6 + 3 * 4);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(static_cast<int>(fixture.window->run().facts().progress.stepSeconds.size()), 4);
        const JobId job = fixture.window->run().facts().job;
        QTest::mouseClick(fixture.find<QPushButton>("stopButton"), Qt::LeftButton);
        QVERIFY(fixture.reaches(RunState::stopped));
        auto* detail = fixture.find<ui::ElidedLabel>("runDetailLabel");
        QVERIFY2(detail->fullText().startsWith("at step 4 of "), qPrintable(detail->fullText()));
        QVERIFY(!fixture.find<QPushButton>("startOverButton")->isVisible());
        for (const char* answer : {"decodeNowButton", "continueButton", "discardButton"})
            QVERIFY2(fixture.find<QPushButton>(answer)->isVisible(), answer);
        const auto state = [&] {
            const auto& jobs = fixture.bridge->jobs();
            return std::ranges::find(jobs, job, &Job::id)->state;
        };
        QTRY_COMPARE(state(), JobState::paused);
        QCOMPARE(fixture.find<QPushButton>("discardButton")->text(), QStringLiteral("Discard"));
        QCOMPARE(fixture.find<QPushButton>("continueButton")->text(), QStringLiteral("Continue"));
        QTest::mouseClick(fixture.find<QPushButton>("discardButton"), Qt::LeftButton);
        const auto& question = fixture.window->createPage()->notice()->accessibleName();
        QVERIFY2(question.startsWith("Discard 4 finished step"), qPrintable(question));
        QCOMPARE(state(), JobState::paused);
        QTest::mouseClick(fixture.find<QPushButton>("noticeStripActionButton"), Qt::LeftButton);
        QTRY_COMPARE(state(), JobState::cancelled);
        QCOMPARE(detail->fullText(), QStringLiteral("after 4 steps. Nothing was saved."));
        QVERIFY(fixture.find<QPushButton>("startOverButton")->isVisible());
        QVERIFY(fixture.find<QPushButton>("generateButton")->isEnabled());
    }

    void decodeNowDecodesTheLastCompletedStep() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(static_cast<int>(fixture.window->run().facts().progress.stepSeconds.size()), 4);
        fixture.action("actionStop")->trigger();
        QVERIFY(fixture.reaches(RunState::stopped));
        fixture.release();
        QTest::mouseClick(fixture.find<QPushButton>("decodeNowButton"), Qt::LeftButton);
        QVERIFY(fixture.reaches(RunState::done));
        QCOMPARE(static_cast<int>(fixture.window->run().facts().progress.stepSeconds.size()), 4);
        QVERIFY(!fixture.find<QPushButton>("decodeNowButton")->isVisible());
        const QString told = fixture.find<ui::ElidedLabel>("runDetailLabel")->fullText();
        QVERIFY2(told.startsWith("Stopped at step 4 of "), qPrintable(told));
    }

    void aStoppedRunCanBeResumed() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(static_cast<int>(fixture.window->run().facts().progress.stepSeconds.size()), 4);
        fixture.window->run().pause();
        QVERIFY(fixture.reaches(RunState::paused));
        fixture.action("actionStop")->trigger();
        QVERIFY(fixture.reaches(RunState::stopped));
        fixture.release();
        QTest::mouseClick(fixture.find<QPushButton>("continueButton"), Qt::LeftButton);
        QVERIFY(fixture.reaches(RunState::done));
        QCOMPARE(fixture.window->run().facts().result.stopped_after_step, 0);
    }

    /// Starting another video postpones the decision: the stopped job stays in the queue.
    void aStoppedRunStaysInTheQueue() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(static_cast<int>(fixture.window->run().facts().progress.stepSeconds.size()), 4);
        fixture.action("actionAddToQueue")->trigger();
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{2});
        fixture.action("actionStop")->trigger();
        QVERIFY(fixture.reaches(RunState::stopped));
        QTest::qWait(100);
        QCOMPARE(fixture.bridge->jobs()[1].state, JobState::waiting);
        fixture.release();
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(fixture.bridge->jobs().size(), std::size_t{3}, 5'000);
        QTRY_COMPARE_WITH_TIMEOUT(fixture.bridge->jobs()[2].state, JobState::finished, 20'000);
        QCOMPARE(fixture.bridge->jobs()[0].state, JobState::paused);
        QVERIFY(!fixture.bridge->isHeld());
    }

    void aFinishedRunShowsItsWarnings() {
        WindowFixture fixture(testing::warnedRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        const QString words = fixture.find<ui::ElidedLabel>("runDetailLabel")->fullText();
        QVERIFY2(words.startsWith("Warning: all 25 frames are one flat color without motion. Saved to"),
                 qPrintable(words));
    }

    void aFixTurnsTheGuardOn() {
        const Error observed(
            ErrorCode::not_finite, "m", "h",
            {{"guard", "observe"}, {"phase", "denoise"}, {"step", "1"}, {"site", "transformer.blocks.1"}});
        WindowFixture fixture(testing::failingRun(observed));
        QVERIFY(fixture.isReady());
        fixture.settings.setValue(QLatin1String(ui::setting::kGuard), QStringLiteral("observe"));
        fixture.window->request().setRules(ui::Preferences(fixture.settings).rules());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::failed));
        QCOMPARE(fixture.window->run().facts().request.guard, GuardMode::observe);
        QCOMPARE(fixture.find<QPushButton>("fixButton1")->text(), QStringLiteral("Run again with the guard on"));
        QTest::mouseClick(fixture.find<QPushButton>("fixButton1"), Qt::LeftButton);
        QTRY_COMPARE(fixture.window->run().facts().request.guard, GuardMode::heal);
    }

    void aFinishedRunShowsReusedSteps() {
        const auto reusing = [](const VideoRequest& request) {
            std::vector<RunEvent> events = testing::healthyRun()(request);
            for (RunEvent& event : events)
                if (auto* step = std::get_if<StepCompleted>(&event); step && step->step % 4 == 3)
                    step->prediction = PredictionSource::reused;
            return events;
        };
        WindowFixture fixture(reusing);
        QVERIFY(fixture.isReady());
        const auto endOfARun = [&fixture] {
            fixture.action("actionGenerate")->trigger();
            return fixture.reaches(RunState::planning) && fixture.reaches(RunState::done)
                       ? fixture.find<ui::ElidedLabel>("runDetailLabel")->fullText()
                       : QString();
        };
        QVERIFY(endOfARun().startsWith(QStringLiteral("Saved to")));
        QVERIFY(!fixture.find<ui::ElidedLabel>("runDetailLabel")->fullText().contains("reused"));
        fixture.window->request().edit([](VideoRequest& request) { request.step_cache = 0.1; });
        const QString words = endOfARun();
        QVERIFY2(words.endsWith(QStringLiteral(", 3 of 12 steps reused")), qPrintable(words));
    }

    void aVideoCanBeGeneratedByKeyboard() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->activateWindow();
        auto* prompt = fixture.find<QPlainTextEdit>("promptEdit");
        QTRY_VERIFY(prompt->hasFocus());
        QTest::keyClicks(prompt, "A blue ball rolls");
        QTest::keyClick(prompt, Qt::Key_Tab);
        QVERIFY(!prompt->hasFocus());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(fixture.reaches(RunState::done));
        QCOMPARE(fixture.window->run().facts().request.prompt, std::string("A blue ball rolls"));
        QSet<QWidget*> visited;
        for (int press = 0; press < 6; ++press) {
            QTest::keyClick(fixture.window.get(), Qt::Key_F6);
            visited.insert(QApplication::focusWidget());
        }
        QVERIFY(visited.size() >= 4);
    }

    void f6ReachesEveryPage_data() {
        QTest::addColumn<QByteArray>("page");
        for (const char* page : {"createPage", "libraryPage", "comparePage", "modelsPage", "doctorPage", "explorePage"})
            QTest::newRow(page) << QByteArray(page);
    }

    void f6ReachesEveryPage() {
        QFETCH(QByteArray, page);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
        auto* shown = fixture.find<QWidget>(page.constData());
        fixture.find<ui::NavRail>("navigationRail")
            ->setCurrentIndex(fixture.find<QStackedWidget>("pageStack")->indexOf(shown));
        QVERIFY(shown->isVisible());
        for (const Qt::KeyboardModifier shift : {Qt::NoModifier, Qt::ShiftModifier}) {
            int inPage = 0;
            for (int press = 0; press < 8; ++press) {
                QTest::keyClick(fixture.window.get(), Qt::Key_F6, shift);
                if (shown->isAncestorOf(QApplication::focusWidget())) ++inPage;
            }
            QVERIFY(inPage >= 2);
        }
    }

    void f6VisitsEveryPanelOfThePage_data() {
        QTest::addColumn<int>("page");
        QTest::addColumn<QStringList>("panels");
        QTest::newRow("Create") << 0 << QStringList{"noticeStrip", "gpuStrip", "requestPanel", "previewPanel"};
        QTest::newRow("Library") << 1 << QStringList{"libraryNotice", "queuePanel", "historyPanel", "detailsPanel"};
        QTest::newRow("Explore") << 5 << QStringList{"exploreStrip"};
    }
    void f6VisitsEveryPanelOfThePage() {
        QFETCH(int, page);
        QFETCH(QStringList, panels);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(page);
        auto* history = fixture.find<QListView>("historyView");
        QTRY_COMPARE(history->model()->rowCount(), 2);
        history->setCurrentIndex(history->model()->index(1, 0));  // the details have actions then
        for (auto* strip : fixture.window->findChildren<ui::NoticeStrip*>())
            strip->setNotice(ui::Severity::info, "A notice", "with an action", "Act");
        QSet<QString> visited;
        for (int press = 0; press < 10; ++press) {
            QTest::keyClick(fixture.window.get(), Qt::Key_F6);
            for (const QString& panel : panels)
                if (fixture.window->findChild<QWidget*>(panel)->isAncestorOf(QApplication::focusWidget()))
                    visited.insert(panel);
        }
        QCOMPARE(visited, QSet<QString>(panels.begin(), panels.end()));
    }

    void everyControlHasANameAndIsReached() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QSet<QString> names;
        for (QWidget* widget : fixture.window->findChildren<QWidget*>()) {
            const bool control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                                 qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QPlainTextEdit*>(widget);
            if (!control || widget->objectName().startsWith("qt_") || !widget->isVisibleTo(fixture.window.get()))
                continue;
            auto* button = qobject_cast<QAbstractButton*>(widget);
            const bool said = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
            QVERIFY2(said, qPrintable(widget->objectName() + " in " + widget->parentWidget()->objectName()));
        }
    }

    void themeChangesWhileRunning() {
        WindowFixture fixture(testing::healthyRun(), 6 + 3 * 4);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(static_cast<int>(fixture.window->run().facts().progress.stepSeconds.size()), 4);
        const QRgb dark = fixture.window->grab().toImage().pixel(3, 300);
        fixture.theme.setMode(ui::Theme::Mode::light);
        QTest::qWait(50);
        const QImage light = fixture.window->grab().toImage();
        QVERIFY(qGray(light.pixel(3, 300)) > qGray(dark) + 100);
        fixture.release();
        QVERIFY(fixture.reaches(RunState::done));
    }

    void theWindowCanBeClosedDuringARun() {
        auto fixture = std::make_unique<WindowFixture>(testing::healthyRun(), 6 + 3 * 4);
        QVERIFY(fixture->isReady());
        fixture->action("actionGenerate")->trigger();
        QVERIFY(fixture->reaches(RunState::denoising));
        fixture->quitAnswer = ui::QuitAnswer::keepWorking;
        QVERIFY(!fixture->window->close());
        fixture->quitAnswer = ui::QuitAnswer::continueLater;
        QVERIFY(fixture->window->close());
        fixture.reset();
        QTest::qWait(50);
    }

    void noScrollBarOnASmallScreen() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QTest::qWait(50);
        for (QScrollBar* bar : fixture.window->findChildren<QScrollBar*>()) {
            QVERIFY2(!bar->isVisible(), qPrintable(bar->parentWidget()->parentWidget()->objectName()));
        }
    }
};

QTEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
