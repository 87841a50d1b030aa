#include <QtTest>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextEdit>
#include <QToolButton>

#include "tests/support/window_fixture.h"
#include "ui/models/computer_list_model.h"
#include "ui/models/preset_model.h"
#include "ui/models/queue_model.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/preview_panel.h"
#include "ui/text/words.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/notice_strip.h"
#include "ui/windows/preferences_dialog.h"

using namespace kinescope;
using testing::WindowFixture;

namespace {

const Computer kStudio{"studio", "ssh studio kinescope-cli serve --keep", {}};

/// Starts a run on kStudio. Returns true when it denoises.
bool runsOnStudio(WindowFixture& fixture) {
    if (!fixture.isReady()) return false;
    fixture.settings.setValue("runsOn", "studio");
    fixture.computers->setList({{.computer = kStudio, .state = ComputerState::connected}});
    if (!QTest::qWaitFor([&] { return fixture.computers->chosen() == "studio"; }) || !fixture.isReady()) return false;
    fixture.action("actionGenerate")->trigger();
    return fixture.reaches(ui::RunState::denoising);
}

/// The page of the preferences.
struct OpenPage {
    explicit OpenPage(WindowFixture& fixture) {
        fixture.action("actionPreferences")->trigger();
        dialog = fixture.find<ui::PreferencesDialog>("preferencesDialog");
        auto* pages = dialog->findChild<QListWidget*>("preferencesList");
        for (int row = 0; row < pages->count(); ++row)
            if (pages->item(row)->text() == "Computers") pages->setCurrentRow(row);
    }
    template <class Widget>
    Widget* find(const char* name) const {
        return dialog->findChild<Widget*>(QLatin1String(name));
    }
    void type(const char* edit, const QString& text) const {
        auto* field = find<QLineEdit>(edit);
        field->setFocus();
        field->clear();
        QTest::keyClicks(field, text);
    }
    /// Tests the connection to a new computer.
    void test(const char* command) const {
        type("computerNameEdit", "studio");
        type("computerCommandEdit", command);
        press("testComputerButton");
    }
    void press(const char* name) const { QTest::keyClick(find<QPushButton>(name), Qt::Key_Space); }
    QString result() const { return find<ui::MessageLine>("computerResult")->text(); }
    /// What is below the result.
    QString facts() const {
        auto* text = find<QTextEdit>("computerFactsText");
        return text != nullptr && text->isVisible() ? text->toPlainText() : QString();
    }
    ui::PreferencesDialog* dialog = nullptr;
};

}  // namespace

class TestComputersPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { ui::chooseLanguage("en"); }

    void aComputerIsAddedChangedAndRemoved() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const OpenPage page(fixture);
        QVERIFY(!page.find<QPushButton>("saveComputerButton")->isEnabled());
        page.type("computerNameEdit", "studio");
        page.type("computerCommandEdit", "ssh studio kinescope-cli serve --keep");
        const QString models = fixture.folder.path();
        page.find<QPlainTextEdit>("computerPathsEdit")->setPlainText(models + " = /data/models\n\n");
        page.press("saveComputerButton");
        QTRY_COMPARE(fixture.computers->list().size(), std::size_t{1});
        QCOMPARE(fixture.computers->list()[0].computer.paths,
                 (std::vector<PathMap>{{models.toStdString(), "/data/models"}}));
        QTRY_COMPARE(page.find<QListView>("computerList")->currentIndex().row(), 1);
        QTRY_COMPARE(page.result(), QStringLiteral("Saved."));
        page.type("computerNameEdit", "bad");
        page.press("saveComputerButton");
        QTRY_VERIFY(page.result().contains("bad"));
        QCOMPARE(fixture.computers->list().at(0).computer.name, std::string("studio"));
        page.press("removeComputerButton");
        QTRY_COMPARE(fixture.computers->list().size(), std::size_t{0});
        QTRY_VERIFY(page.find<QLineEdit>("computerNameEdit")->text().isEmpty());
    }

    void aComputerWithOpenJobsIsNotRemoved_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<int>("jobs");
        QTest::addColumn<QString>("result");
        QTest::newRow("one job") << "en" << 1
                                 << "“studio” can't be removed: 1 of its jobs is not over. Remove it from the queue, "
                                    "or wait until it is finished.";
        QTest::newRow("two jobs") << "en" << 2
                                  << "“studio” can't be removed: 2 of its jobs are not over. Remove them from the "
                                     "queue, or wait until they are finished.";
        QTest::newRow("Chinese") << "zh_CN" << 2
                                 << "不能移除“studio”：它还有 2 个任务没有结束。请从队列中移除这些任务，或等待其完成。";
    }
    void aComputerWithOpenJobsIsNotRemoved() {
        QFETCH(QString, language);
        QFETCH(int, jobs);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.computers->setList({{.computer = kStudio, .num_open_jobs = jobs}});
        const OpenPage page(fixture);
        ui::chooseLanguage(language);
        auto* list = page.find<QListView>("computerList");
        QTRY_COMPARE(list->model()->rowCount(), 2);
        list->setCurrentIndex(list->model()->index(1, 0));
        page.press("removeComputerButton");
        QTRY_VERIFY(!page.result().isEmpty());
        QTEST(page.result(), "result");
        QCOMPARE(page.facts(), QString());  // the sentence says everything
        QCOMPARE(fixture.computers->list().size(), std::size_t{1});
    }

    void aLineThatMapsNoFolderIsNamed_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("words");
        QTest::newRow("no equals sign") << "no equals sign"
                                        << "Line 2 of Model folders is not “folder here = folder there”";
        QTest::newRow("one side") << "/tmp = "
                                  << "Line 2 of Model folders is not";
        QTest::newRow("relative here") << "models = /data/models"
                                       << "Line 2 of Model folders needs a full path on both sides";
        QTest::newRow("relative there") << "/tmp = models"
                                        << "Line 2 of Model folders needs a full path";
        QTest::newRow("no folder here") << "/no/such/folder = /data/models"
                                        << "“/no/such/folder” in Model folders does not exist on this computer";
    }
    void aLineThatMapsNoFolderIsNamed() {
        QFETCH(QString, line);
        QFETCH(QString, words);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        // A folder that was saved may be on a disk that is not connected now.
        const Computer saved{"studio", "ssh studio", {{"/not/connected", "/data/a"}}};
        fixture.computers->setList({{.computer = saved}});
        const OpenPage page(fixture);
        auto* list = page.find<QListView>("computerList");
        QTRY_COMPARE(list->model()->rowCount(), 2);
        list->setCurrentIndex(list->model()->index(1, 0));
        auto* paths = page.find<QPlainTextEdit>("computerPathsEdit");
        paths->setPlainText("/not/connected = /data/a\n" + line);
        page.press("saveComputerButton");
        QTRY_VERIFY2(page.result().contains(words), qPrintable(page.result()));
        QVERIFY(fixture.computers->list().at(0).computer == saved);
        QVERIFY(paths->toPlainText().endsWith(line));
        paths->setPlainText("/not/connected = /data/a\n" + fixture.folder.path() + "=/data/b");
        page.press("saveComputerButton");
        QTRY_COMPARE(fixture.computers->list().at(0).computer.paths.size(), std::size_t{2});
        QCOMPARE(fixture.computers->list().at(0).computer.paths.at(1).there, std::filesystem::path("/data/b"));
    }

    void aClusterBeginsWithAnExample() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const OpenPage page(fixture);
        page.press("addClusterButton");
        QVERIFY(page.find<QLineEdit>("computerCommandEdit")->text().contains("serve --keep --slurm --shared-dir"));
        QVERIFY(!page.find<QPushButton>("saveComputerButton")->isEnabled());
        page.type("computerNameEdit", "cluster");
        page.press("saveComputerButton");
        QTRY_COMPARE(fixture.computers->list().size(), std::size_t{1});
    }

    void aConnectionIsTested() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const OpenPage page(fixture);
        page.test("ssh wrong");
        QTRY_VERIFY2(page.result().contains("can't be found"), qPrintable(page.result()));
        QVERIFY(page.facts().contains("Could not resolve hostname"));
        page.type("computerCommandEdit", "ssh studio");
        page.press("testComputerButton");
        QTRY_COMPARE(page.result(), QStringLiteral("The connection works."));
        QVERIFY(page.facts().contains("3 models"));
        const DeviceInfo device = fixture.computers->fake.devices().at(0);
        QVERIFY2(page.facts().contains(ui::bytesText(device.memory_total_bytes)), qPrintable(page.facts()));
    }

    void anotherProgramIsToldByWhatItPrinted() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const OpenPage page(fixture);
        page.test("ssh printer");
        QTRY_VERIFY2(page.result().contains("what answered is not “kinescope-cli serve”"), qPrintable(page.result()));
        QCOMPARE(page.facts(), QStringLiteral("looking for paper"));
    }

    void savingRemovesTheAnswerOfATest() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.computers->setList({{.computer = kStudio}});
        const OpenPage page(fixture);
        auto* list = page.find<QListView>("computerList");
        QTRY_COMPARE(list->model()->rowCount(), 2);
        list->setCurrentIndex(list->model()->index(1, 0));
        page.type("computerCommandEdit", "ssh wrong");
        page.press("testComputerButton");
        QTRY_VERIFY(!page.facts().isEmpty());
        page.type("computerCommandEdit", "ssh studio");
        page.press("saveComputerButton");
        QTRY_COMPARE(page.result(), QStringLiteral("Saved."));
        QCOMPARE(page.facts(), QString());
    }

    void aFullDiskIsAWarning() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const OpenPage page(fixture);
        page.test("ssh full");
        QTRY_VERIFY2(page.result().contains("the disk there is full"), qPrintable(page.result()));
        QCOMPARE(page.find<ui::MessageLine>("computerResult")->severity(), ui::Severity::warning);
        page.test("ssh untold");
        QTRY_COMPARE(page.result(), QStringLiteral("The connection works."));
    }

    void theFieldThatIsMissingIsNamed() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const OpenPage page(fixture);
        page.type("computerCommandEdit", "ssh studio");
        QVERIFY(!page.find<QPushButton>("testComputerButton")->isEnabled());
        QCOMPARE(page.result(), QStringLiteral("Enter a name for the computer."));
        page.type("computerNameEdit", "studio");
        QVERIFY(page.find<QPushButton>("testComputerButton")->isEnabled());
        QCOMPARE(page.result(), QString());
        page.find<QLineEdit>("computerCommandEdit")->clear();
        QCOMPARE(page.result(), QStringLiteral("Enter the command that starts Kinescope there."));
        page.press("addClusterButton");
        QCOMPARE(page.result(), QStringLiteral("Enter a name for the computer."));
    }

    void theWholeAnswerOfATestIsVisible_data() {
        QTest::addColumn<QString>("command");
        QTest::newRow("facts") << QStringLiteral("ssh studio");
        QTest::newRow("an error") << QStringLiteral("ssh wrong") + QStringLiteral(" and its explanation").repeated(20);
        QTest::newRow("a line of one word") << QStringLiteral("ssh wrong ") + QString(300, QLatin1Char('@'));
    }
    void theWholeAnswerOfATestIsVisible() {
        QFETCH(QString, command);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const OpenPage page(fixture);
        page.type("computerNameEdit", "studio");
        page.find<QLineEdit>("computerCommandEdit")->setText(command);
        page.press("testComputerButton");
        auto* facts = page.find<QTextEdit>("computerFactsText");
        QVERIFY(facts);
        QTRY_VERIFY(!facts->toPlainText().isEmpty());
        QTRY_VERIFY(facts->viewport()->height() >= facts->document()->size().height());
        QTRY_COMPARE(facts->visibleRegion().boundingRect(), facts->rect());
        QVERIFY(facts->document()->idealWidth() <= facts->viewport()->width());
        QVERIFY(!facts->toPlainText().contains(QChar(0x200B)));  // what is copied can be used
    }

    void anAnswerDoesNotMoveWhatTheUserReads() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const OpenPage page(fixture);
        page.dialog->resize(page.dialog->minimumSizeHint());
        page.test("ssh hang");
        QWidget* area = page.find<QTextEdit>("computerFactsText");
        while (area != nullptr && qobject_cast<QScrollArea*>(area) == nullptr) area = area->parentWidget();
        QVERIFY(area);
        QScrollBar* bar = qobject_cast<QScrollArea*>(area)->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0);
        bar->setValue(bar->maximum());
        bar->triggerAction(QAbstractSlider::SliderToMinimum);
        Q_EMIT ui::ComputerListModel::of(*fixture.bridge)
            .tested({.devices = fixture.engine->devices(), .num_models = 3, .free_disk_bytes = 120'000'000'000});
        QTRY_VERIFY(!page.find<QTextEdit>("computerFactsText")->toPlainText().isEmpty());
        QTest::qWait(50);
        QCOMPARE(bar->value(), 0);
    }

    void anAnswerIsForgottenWhileTheCommandIsEdited() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const OpenPage page(fixture);
        page.test("ssh wrong");
        QTRY_VERIFY(page.result().contains("can't be found"));
        QTest::keyClicks(page.find<QLineEdit>("computerCommandEdit"), "er");
        QCOMPARE(page.result(), QString());
        page.press("testComputerButton");
        QTRY_VERIFY(page.result().contains("can't be found"));
        page.find<QPlainTextEdit>("computerPathsEdit")->setPlainText("/a");
        QCOMPARE(page.result(), QString());
    }

    void aTestThatHangsIsCancelledAndBlocksNothing() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const OpenPage page(fixture);
        auto* test = page.find<QPushButton>("testComputerButton");
        page.test("ssh hang");
        QTRY_COMPARE(test->text(), QStringLiteral("Cancel"));
        page.press("testComputerButton");
        QCOMPARE(test->text(), QStringLiteral("Test connection"));
        QCOMPARE(page.result(), QStringLiteral("The test was cancelled."));
        page.press("testComputerButton");
        page.press("saveComputerButton");
        QTRY_COMPARE(fixture.computers->list().size(), std::size_t{1});
        QTRY_COMPARE(page.result(), QStringLiteral("Saved."));
    }

    void theChoiceIsHiddenWithoutOtherComputers() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* choice = fixture.find<QComboBox>("runsOnCombo");
        QVERIFY(choice->isHidden());
        fixture.computers->setList({{.computer = kStudio, .state = ComputerState::connected}});
        QTRY_VERIFY(!choice->isHidden());
        QCOMPARE(choice->count(), 2);
        QCOMPARE(choice->itemText(0), QStringLiteral("This computer"));
        QVERIFY(choice->itemText(1).startsWith("studio"));
    }

    void jobsGoToTheChosenComputer() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.computers->setList({{.computer = kStudio}});
        auto* choice = fixture.find<QComboBox>("runsOnCombo");
        QTRY_COMPARE(choice->count(), 2);
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_Down);
        QTRY_COMPARE(fixture.computers->chosen(), std::string("studio"));
        QVERIFY(fixture.isReady());
        fixture.action("actionAddToQueueHere")->trigger();
        QVERIFY(fixture.reaches(ui::RunState::done));
        const JobId job = fixture.bridge->jobs().at(0).id;
        QCOMPARE(ui::ComputerListModel::of(*fixture.bridge).computerOf(job), QStringLiteral("studio"));
        ui::QueueModel queue(*fixture.bridge);
        QVERIFY(queue.index(0).data(ui::QueueModel::FactsRole).toString().startsWith("On studio: "));
        QCOMPARE(fixture.settings.value("runsOn").toString(), QStringLiteral("studio"));
        fixture.computers->setList({});
        QTRY_COMPARE(fixture.computers->chosen(), std::string());
        QTRY_VERIFY(choice->isHidden());
    }

    /// The presets are those of the selected computer.
    void thePresetSuitsTheChosenComputer() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const ui::PresetModel& presets = fixture.window->request().presets();
        QTRY_VERIFY(presets.reason().startsWith("Suits this computer: "));
        fixture.settings.setValue("runsOn", "studio");
        fixture.computers->setList({{.computer = kStudio, .state = ComputerState::connected}});
        QTRY_COMPARE(fixture.computers->chosen(), std::string("studio"));
        QTRY_VERIFY2(presets.reason().startsWith("Suits “studio”: "), qPrintable(presets.reason()));
    }

    void theComputerOfTheLastSessionIsSelected() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.settings.setValue("runsOn", "studio");
        fixture.computers->setList({{.computer = kStudio}});
        QTRY_COMPARE(fixture.computers->chosen(), std::string("studio"));
        QTRY_COMPARE(fixture.find<QComboBox>("runsOnCombo")->currentIndex(), 1);
    }

    void theVideoIsShownIfItsFramesDidNotArrive() {
        const auto script = [](const VideoRequest& request) {
            std::vector<RunEvent> events = testing::healthyRun()(request);
            std::erase_if(events, [](const RunEvent& event) {
                const auto* preview = std::get_if<PreviewReady>(&event);
                return preview != nullptr && preview->kind == PreviewKind::decoded;
            });
            return events;
        };
        WindowFixture fixture(script);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(ui::RunState::done));
        QTRY_COMPARE(fixture.find<ui::PreviewPanel>("previewPanel")->kind(), QStringLiteral("final"));
    }

    void aComputerThatCannotBeReachedIsTold() {
        WindowFixture fixture(testing::healthyRun(), 0);
        QVERIFY(fixture.isReady());
        fixture.settings.setValue("runsOn", "studio");
        fixture.computers->setList({{.computer = kStudio}});
        QTRY_COMPARE(fixture.computers->chosen(), std::string("studio"));
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        fixture.action("actionAddToQueueHere")->trigger();
        QTRY_COMPARE(fixture.bridge->jobs().size(), std::size_t{2});
        const Error error(ErrorCode::engine_lost, "ssh: Could not resolve hostname studio", {},
                          {{"computer", "studio"}, {"cause", "unknown_host"}});
        fixture.computers->setList({{.computer = kStudio, .state = ComputerState::unreachable, .error = error}});
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        QTRY_VERIFY2(strip->text().contains("“studio” can't be reached"), qPrintable(strip->text()));
        QVERIFY(strip->text().contains("can't be found"));
        QCOMPARE(fixture.find<QLabel>("etaLabel")->text(), QStringLiteral("Waiting for the connection"));
        ui::QueueModel queue(*fixture.bridge);
        const auto waiting = queue.index(queue.rowOf(fixture.bridge->jobs().at(1).id));
        QVERIFY(waiting.data(ui::QueueModel::ReasonRole).toString().contains("can't be found"));
        fixture.computers->setList({{.computer = kStudio, .state = ComputerState::connecting}});
        QTest::qWait(50);
        QVERIFY(strip->text().contains("can't be reached"));
        strip->findChild<QToolButton*>("noticeStripCloseButton")->click();
        const auto isTold = [strip] { return !strip->isHidden() && strip->text().contains("can't be reached"); };
        QTRY_VERIFY(!isTold());  // another notice may stand there
        fixture.computers->setList({{.computer = kStudio, .state = ComputerState::unreachable, .error = error}});
        QTest::qWait(50);
        QVERIFY(!isTold());  // the reason has not changed
        fixture.computers->setList({{.computer = kStudio, .state = ComputerState::connected}});
        QTRY_VERIFY(fixture.find<QLabel>("etaLabel")->text() != QStringLiteral("Waiting for the connection"));
        fixture.release();
        QVERIFY(fixture.reaches(ui::RunState::done));
    }

    void aResultThatIsFetchedHasNoTimeLeft() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(runsOnStudio(fixture));
        QTRY_VERIFY(fixture.window->run().secondsLeft());
        std::vector<Job> jobs = fixture.bridge->jobs();
        jobs.at(0).waits_for = "ResultsOnTheWay";
        fixture.computers->send(0, QueueChanged{jobs});
        QTRY_COMPARE(fixture.find<QLabel>("etaLabel")->text(), QStringLiteral("Fetching the result"));
        QVERIFY(!fixture.window->run().secondsLeft());
        ui::QueueModel queue(*fixture.bridge);
        QCOMPARE(queue.index(0).data(ui::QueueModel::ReasonRole).toString(),
                 QStringLiteral("the result is being fetched"));
        fixture.release();
        QVERIFY(fixture.reaches(ui::RunState::done));
        QCOMPARE(fixture.window->run().contact(), ui::Contact::present);
    }

    void theTimeLeftIsTheSameEverywhere() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(ui::RunState::denoising));
        QTRY_VERIFY(fixture.window->run().secondsLeft());
        const QModelIndex row = fixture.find<QListView>("queueView")->model()->index(0, 0);
        QSignalSpy progressed(&fixture.window->run(), &ui::RunModel::progressed);
        QVERIFY(progressed.wait());  // time passes, although no event arrives
        QCOMPARE(row.data(ui::QueueModel::SecondsLeftRole).toDouble(), *fixture.window->run().secondsLeft());
        fixture.release();
        QVERIFY(fixture.reaches(ui::RunState::done));
    }

    void aLostConnectionIsToldAndTheWindowMayClose() {
        WindowFixture fixture(testing::healthyRun(), testing::kFourSteps);
        QVERIFY(runsOnStudio(fixture));
        auto* strip = fixture.find<ui::NoticeStrip>("noticeStrip");
        fixture.computers->setList({{.computer = kStudio, .state = ComputerState::connecting}});
        QTRY_VERIFY(strip->text().contains("connection to “studio” was lost"));
        QVERIFY(!fixture.window->run().secondsLeft());
        QCOMPARE(fixture.find<QLabel>("etaLabel")->text(), QStringLiteral("Waiting for the connection"));
        QCOMPARE(fixture.find<ui::ElidedLabel>("runDetailLabel")->fullText(),
                 QStringLiteral("No connection to “studio”; the run goes on there"));
        fixture.computers->setList({{.computer = kStudio, .state = ComputerState::connected}});
        QTRY_VERIFY(strip->isHidden() || !strip->text().contains("was lost"));
        fixture.quitAnswer = ui::QuitAnswer::keepWorking;
        QVERIFY(fixture.window->close());
        fixture.release();
    }
};

QTEST_MAIN(TestComputersPage)
#include "test_computers_page.moc"
