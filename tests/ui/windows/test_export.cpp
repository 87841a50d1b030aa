// Tests the export of videos, and the context menus of everything that shows or contains a video.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QThreadPool>
#include <QtTest>

#include "tests/support/window_fixture.h"
#include "ui/models/history_model.h"
#include "ui/models/request_model.h"
#include "ui/panels/numbers_panel.h"
#include "ui/panels/preview_panel.h"
#include "ui/panels/run_picker.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/segmented.h"
#include "ui/windows/export_dialog.h"
#include "ui/windows/finish_dialog.h"
#include "ui/windows/library_page.h"

using namespace kinescope;
using testing::WindowFixture;
using ui::RunState;

namespace {

/// Returns a window with a finished video. Exports go to its folder.
std::unique_ptr<WindowFixture> finished() {
    auto fixture = std::make_unique<WindowFixture>(testing::healthyRun());
    ui::Preferences(fixture->settings).set(ui::setting::kExportFolder, fixture->folder.path());
    if (!fixture->isReady()) return nullptr;
    fixture->action("actionGenerate")->trigger();
    return fixture->reaches(RunState::done) ? std::move(fixture) : nullptr;
}

/// Shows the Library and selects the first video. Returns the list of videos.
QListView* openLibrary(WindowFixture& fixture) {
    fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
    auto* view = fixture.find<QListView>("historyView");
    if (!QTest::qWaitFor([view] { return view->model()->rowCount() >= 2; })) return nullptr;
    view->setCurrentIndex(view->model()->index(1, 0));
    return view;
}

ui::ExportDialog* dialogOf(WindowFixture& fixture) {
    return fixture.find<ui::ExportDialog>("exportDialog");
}

template <class Widget>
Widget* part(ui::ExportDialog* dialog, const char* name) {
    return dialog->findChild<Widget*>(QLatin1String(name));
}

QString messageOf(ui::ExportDialog* dialog) {
    return part<ui::MessageLine>(dialog, "exportMessage")->text();
}

/// Requests a context menu and returns it.
QMenu* menuAt(QWidget* widget, const QPoint& where, const char* name) {
    QContextMenuEvent event(QContextMenuEvent::Mouse, where, widget->mapToGlobal(where));
    QApplication::sendEvent(widget, &event);
    const auto menus = widget->window()->findChildren<QMenu*>(QLatin1String(name));
    return menus.isEmpty() ? nullptr : menus.back();
}

QStringList entriesOf(const QMenu* menu) {
    QStringList names;
    for (const QAction* action : menu->actions())
        if (!action->isSeparator()) names << action->objectName();
    return names;
}

/// Requests the context menu of the first row of the queue and returns it.
QMenu* menuOfFirstJob(WindowFixture& fixture) {
    auto* view = fixture.find<QListView>("queueView");
    const QPoint where = view->visualRect(view->model()->index(0, 0)).center();
    return menuAt(view->viewport(), where, "queueMenu");
}

void trigger(QMenu* menu, const char* name) {
    for (QAction* action : menu->actions())
        if (action->objectName() == QLatin1String(name)) action->trigger();
    menu->close();
}

}  // namespace

class TestExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The next job may start while the name is asked.
    void thePlotsAreSavedAsTheyWere() {
        const auto fixture = finished();
        QVERIFY(fixture);
        auto* numbers = fixture->window->findChild<ui::NumbersPanel*>();
        const QColor before = numbers->picture().pixelColor(0, 0);
        fixture->saveName = fixture->folder.filePath("plots.png");
        fixture->whileNameIsAsked = [&fixture] { fixture->window->showTheme(QStringLiteral("light")); };
        Q_EMIT numbers->exportRequested(ui::NumbersExport::picture);
        QVERIFY(QThreadPool::globalInstance()->waitForDone());
        QCOMPARE(QImage(fixture->saveName).pixelColor(0, 0), before);
        QVERIFY(numbers->picture().pixelColor(0, 0) != before);
    }

    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void aNameWithoutAFolderBelongsToTheProposedFolder() {
        const auto fixture = finished();
        QVERIFY(fixture);
        fixture->action("actionExportVideo")->trigger();
        ui::ExportDialog* dialog = dialogOf(*fixture);
        QVERIFY(dialog);
        const QString folder = QFileInfo(dialog->choice().target).absolutePath();
        auto* name = part<QLineEdit>(dialog, "exportNameEdit");
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("alone.gif"));
        part<QPushButton>(dialog, "startExportButton")->click();
        QTRY_VERIFY(messageOf(dialog).startsWith("Exported: alone.gif"));
        QVERIFY(QFile::exists(folder + QStringLiteral("/alone.gif")));
        QVERIFY(!QFile::exists(QStringLiteral("alone.gif")));  // in the folder in which the program was started
    }

    void aNameWithoutAFolderBelongsToTheFolderChosenLast() {
        const auto fixture = finished();
        QVERIFY(fixture);
        const QTemporaryDir other;
        fixture->action("actionExportVideo")->trigger();
        ui::ExportDialog* dialog = dialogOf(*fixture);
        QVERIFY(dialog);
        const QString proposed = QFileInfo(dialog->choice().target).absolutePath();
        fixture->saveName = other.filePath("chosen.gif");
        part<QPushButton>(dialog, "chooseExportNameButton")->click();
        QCOMPARE(dialog->choice().target, other.filePath("chosen.gif"));
        auto* name = part<QLineEdit>(dialog, "exportNameEdit");
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("alone.gif"));
        part<QPushButton>(dialog, "startExportButton")->click();
        QTRY_VERIFY(messageOf(dialog).startsWith("Exported: alone.gif"));
        QVERIFY(QFile::exists(other.filePath("alone.gif")));
        QVERIFY(!QFile::exists(proposed + QStringLiteral("/alone.gif")));
    }

    void theFormatFollowsTheName() {
        const auto fixture = finished();
        QVERIFY(fixture);
        fixture->action("actionExportVideo")->trigger();
        ui::ExportDialog* dialog = dialogOf(*fixture);
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(dialog->choice().format, QLatin1String(ui::kOriginalFormat));
        QVERIFY(dialog->choice().target.endsWith(".mp4"));
        QVERIFY(!part<QSpinBox>(dialog, "exportCrfSpin")->isEnabled());
        auto* size = part<QLabel>(dialog, "exportSizeLabel");
        QTRY_COMPARE(size->text(), QStringLiteral("Estimated size: 23.4 KiB"));

        auto* name = part<QLineEdit>(dialog, "exportNameEdit");
        name->selectAll();
        QTest::keyClicks(name, fixture->folder.filePath("out.gif"));
        QCOMPARE(dialog->choice().format, QStringLiteral("gif"));
        QTRY_COMPARE(size->text(), QStringLiteral("Estimated size: 234.4 KiB"));
        auto* format = part<QComboBox>(dialog, "exportFormatCombo");
        QCOMPARE(format->currentData().toString(), QStringLiteral("gif"));
        QTest::mouseClick(part<QPushButton>(dialog, "startExportButton"), Qt::LeftButton);
        QTRY_VERIFY(messageOf(dialog).startsWith("Exported: out.gif"));
        QVERIFY(QFile::exists(fixture->folder.filePath("out.gif")));
        QCOMPARE(fixture->engine->exports().back().output.file.filename(), std::filesystem::path("out.gif"));
        Q_EMIT part<ui::MessageLine>(dialog, "exportMessage")->fixActivated();
        QCOMPARE(fixture->lastShown, fixture->folder.filePath("out.gif"));
        QCOMPARE(ui::Preferences(fixture->settings).exportFolder(), fixture->folder.path());
    }

    void aFormatChangesTheName() {
        const auto fixture = finished();
        QVERIFY(fixture);
        fixture->action("actionExportVideo")->trigger();
        ui::ExportDialog* dialog = dialogOf(*fixture);
        auto* format = part<QComboBox>(dialog, "exportFormatCombo");
        format->setCurrentIndex(format->findData("webm"));
        Q_EMIT format->activated(format->currentIndex());
        QVERIFY(dialog->choice().target.endsWith(".webm"));
        QVERIFY(part<QSpinBox>(dialog, "exportCrfSpin")->isEnabled());
        part<QSpinBox>(dialog, "exportCrfSpin")->setValue(30);
        part<QCheckBox>(dialog, "exportSettingsCheck")->setChecked(false);
        part<QPushButton>(dialog, "startExportButton")->click();
        QTRY_VERIFY(messageOf(dialog).startsWith("Exported:"));
        const OutputRequest output = fixture->engine->exports().back().output;
        QCOMPARE(*output.crf, 30);
        QCOMPARE(output.codec, std::string("libvpx-vp9"));
        QCOMPARE(output.settings, SettingsInFile::left_out);
    }

    void nothingIsReplacedWithoutAQuestion() {
        const auto fixture = finished();
        QVERIFY(fixture);
        const QString taken = fixture->folder.filePath("taken.gif");
        QFile file(taken);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("precious") > 0);
        file.close();
        fixture->action("actionExportVideo")->trigger();
        ui::ExportDialog* dialog = dialogOf(*fixture);
        auto* name = part<QLineEdit>(dialog, "exportNameEdit");
        name->selectAll();
        QTest::keyClicks(name, taken);
        part<QPushButton>(dialog, "startExportButton")->click();
        QCOMPARE(messageOf(dialog), QStringLiteral("taken.gif already exists."));
        QVERIFY(fixture->engine->exports().empty());
        Q_EMIT part<ui::MessageLine>(dialog, "exportMessage")->fixActivated();
        QTRY_VERIFY(messageOf(dialog).startsWith("Exported:"));
        QCOMPARE(fixture->engine->exports().back().output.overwrite, OverwriteMode::overwrite);
    }

    void anotherQualityCanBeExportedToo_data() {
        QTest::addColumn<QString>("field");
        QTest::newRow("quality") << "exportCrfSpin";
        QTest::newRow("settings") << "exportSettingsCheck";
    }

    void anotherQualityCanBeExportedToo() {
        QFETCH(QString, field);
        const auto fixture = finished();
        QVERIFY(fixture);
        fixture->action("actionExportVideo")->trigger();
        ui::ExportDialog* dialog = dialogOf(*fixture);
        auto* name = part<QLineEdit>(dialog, "exportNameEdit");
        auto* start = part<QPushButton>(dialog, "startExportButton");
        name->selectAll();
        QTest::keyClicks(name, fixture->folder.filePath("small.webm"));
        start->click();
        QTRY_VERIFY(messageOf(dialog).startsWith("Exported: small.webm"));
        QVERIFY(!start->isEnabled());
        if (field == "exportCrfSpin")
            part<QSpinBox>(dialog, "exportCrfSpin")->stepUp();
        else
            part<QCheckBox>(dialog, "exportSettingsCheck")->toggle();
        QVERIFY(start->isEnabled());
        QCOMPARE(messageOf(dialog), QString());
        for (int exports = 2; exports <= 3; ++exports) {  // the answer is not remembered
            part<QSpinBox>(dialog, "exportCrfSpin")->stepUp();
            start->click();
            QCOMPARE(messageOf(dialog), QStringLiteral("small.webm already exists."));
            Q_EMIT part<ui::MessageLine>(dialog, "exportMessage")->fixActivated();
            QTRY_COMPARE(fixture->engine->exports().size(), static_cast<std::size_t>(exports));
            QTRY_VERIFY(messageOf(dialog).startsWith("Exported:"));
        }
    }

    void anExportIsStopped() {
        const auto fixture = finished();
        QVERIFY(fixture);
        fixture->engine->setExportHeld(true);
        fixture->action("actionExportVideo")->trigger();
        ui::ExportDialog* dialog = dialogOf(*fixture);
        auto* close = part<QPushButton>(dialog, "closeExportButton");
        QCOMPARE(close->text(), QStringLiteral("Cancel"));
        part<QPushButton>(dialog, "startExportButton")->click();
        auto* progress = part<QProgressBar>(dialog, "exportProgressBar");
        QTRY_COMPARE(progress->value(), 500);
        QVERIFY(progress->isVisible());
        QCOMPARE(close->text(), QStringLiteral("Stop"));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(dialog->isVisible() && progress->isVisible());
        QCOMPARE(messageOf(dialog), QStringLiteral("The export goes on. Press Stop to end it."));
        close->click();
        QTRY_COMPARE(messageOf(dialog), QStringLiteral("Stopped. Nothing was written."));
        QVERIFY(!progress->isVisible());
        close->click();
        QTRY_VERIFY(!dialogOf(*fixture));
    }

    void theLibraryExportsTheSelectedVideo() {
        const auto fixture = finished();
        QVERIFY(fixture);
        fixture->find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture->find<QListView>("historyView");
        QTRY_COMPARE(view->model()->rowCount(), 2);
        view->clearSelection();
        QVERIFY(!fixture->action("actionExportVideo")->isEnabled());
        QVERIFY(openLibrary(*fixture));
        QTRY_VERIFY(fixture->action("actionExportVideo")->isEnabled());
        QTest::keyClick(fixture->window.get(), Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(dialogOf(*fixture));
        QCOMPARE(dialogOf(*fixture)->choice().video, view->currentIndex().data(Qt::UserRole).toString());
        dialogOf(*fixture)->close();
        QTRY_VERIFY(!dialogOf(*fixture));
        fixture->find<QPushButton>("historyExportButton")->click();
        QVERIFY(dialogOf(*fixture));
    }

    void aVideoHasAMenu() {
        const auto fixture = finished();
        QVERIFY(fixture);
        QListView* view = openLibrary(*fixture);
        QVERIFY(view);
        const QString file = view->currentIndex().data(Qt::UserRole).toString();
        const QPoint where = view->visualRect(view->currentIndex()).center();
        QMenu* menu = menuAt(view->viewport(), where, "historyMenu");
        QVERIFY(menu);
        QCOMPARE(entriesOf(menu),
                 QStringList({"videoPlayAction", "videoContinueAction", "videoExportAction", "videoFinishAction",
                              "videoCopyAction", "videoFolderAction", "historyUseAction", "videoFavoriteAction",
                              "videoCompareAction", "videoTrashAction"}));
        trigger(menu, "videoCopyAction");
        QCOMPARE(QApplication::clipboard()->mimeData()->urls(), QList<QUrl>{QUrl::fromLocalFile(file)});
        trigger(menuAt(view->viewport(), where, "historyMenu"), "videoFolderAction");
        QCOMPARE(fixture->lastShown, file);
        trigger(menuAt(view->viewport(), where, "historyMenu"), "videoFavoriteAction");
        QVERIFY(view->currentIndex().data(ui::HistoryModel::FavoriteRole).toBool());
        trigger(menuAt(view->viewport(), where, "historyMenu"), "videoExportAction");
        QVERIFY(dialogOf(*fixture));
        dialogOf(*fixture)->close();
        trigger(menuAt(view->viewport(), where, "historyMenu"), "videoCompareAction");
        QVERIFY(fixture->find<QWidget>("comparePage")->isVisible());
        QCOMPARE(fixture->find<ui::RunPicker>("runACombo")->file(), file);
    }

    void aVideoIsContinuedAndFinishedWithButtons() {
        const auto fixture = finished();
        QVERIFY(fixture);
        ui::RequestModel& model = fixture->window->request();
        const auto& input = model.request().continue_video;
        auto* afterRun = fixture->find<QPushButton>("continueVideoButton");
        QTRY_VERIFY(afterRun->isVisible());
        afterRun->click();
        QVERIFY(input);
        fixture->find<QPushButton>("finishButton")->click();
        auto* dialog = fixture->window->findChild<ui::FinishDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        dialog->close();

        QListView* view = openLibrary(*fixture);
        QVERIFY(view);
        model.edit([](VideoRequest& request) { request.continue_video.reset(); });
        fixture->find<QPushButton>("historyContinueButton")->click();
        QCOMPARE(input, std::optional<std::filesystem::path>(
                            view->currentIndex().data(Qt::UserRole).toString().toStdU16String()));
        QVERIFY(fixture->find<QWidget>("createPage")->isVisible());
    }

    void aFinishedJobHasTheEntriesOfItsVideo() {
        const auto fixture = finished();
        QVERIFY(fixture);
        QListView* videos = openLibrary(*fixture);
        QVERIFY(videos);
        const QString file = videos->currentIndex().data(Qt::UserRole).toString();
        const auto menu = [&] { return menuOfFirstJob(*fixture); };
        QVERIFY(menu());
        QCOMPARE(entriesOf(menu()),
                 QStringList({"queueUseAction", "queueDuplicateAction", "videoPlayAction", "videoContinueAction",
                              "videoExportAction", "videoFinishAction", "videoCopyAction", "videoFolderAction",
                              "videoFavoriteAction", "videoCompareAction", "videoTrashAction", "queueRemoveAction"}));
        trigger(menu(), "videoExportAction");
        QVERIFY(dialogOf(*fixture));
        dialogOf(*fixture)->close();
        trigger(menu(), "videoFolderAction");
        QCOMPARE(fixture->lastShown, file);
        trigger(menu(), "videoFavoriteAction");
        QVERIFY(fixture->window->history().item(file)->favorite);
        QVERIFY(menu()->findChild<QAction*>("videoFavoriteAction")->isChecked());
        QString question;
        QTimer::singleShot(0, this, [&] {
            auto* dialog = fixture->find<QDialog>("deleteDialog");
            question = dialog->findChild<QLabel*>("questionSentenceLabel")->text();
            dialog->reject();
        });
        trigger(menu(), "videoTrashAction");
        QVERIFY2(question.startsWith(QFileInfo(file).fileName()), qPrintable(question));
    }

    void aFinishedJobPlaysAVideoThatTheFilterHides() {
        const auto fixture = finished();
        QVERIFY(fixture);
        QListView* videos = openLibrary(*fixture);
        QVERIFY(videos);
        fixture->find<ui::Segmented>("historyKindButtons")->setCurrentIndex(1);
        fixture->find<QLineEdit>("historySearchEdit")->setText("nothing has this name");
        QCOMPARE(videos->model()->rowCount(), 0);
        trigger(menuOfFirstJob(*fixture), "videoPlayAction");
        QVERIFY(!fixture->window->libraryPage()->currentVideo().isEmpty());
        auto* player = fixture->find<ui::FramePlayer>("detailsPlayer");
        QTRY_VERIFY(player->isPlaying());  // like any video that is newly selected
        player->pause();
        trigger(menuOfFirstJob(*fixture), "videoPlayAction");
        QVERIFY(player->isPlaying());
    }

    void aVideoOutsideOfTheHistoryHasFewerEntries() {
        const auto fixture = finished();
        QVERIFY(fixture);
        QVERIFY(openLibrary(*fixture));
        const QTemporaryDir other;
        fixture->window->history().scan(other.path());
        QTRY_COMPARE(fixture->window->history().numVideos(), 0);
        QCOMPARE(entriesOf(menuOfFirstJob(*fixture)),
                 QStringList({"queueUseAction", "queueDuplicateAction", "videoContinueAction", "videoExportAction",
                              "videoFinishAction", "videoCopyAction", "videoFolderAction", "videoCompareAction",
                              "queueRemoveAction"}));
    }

    void aFailedJobContinuesWithoutItsFinishSteps() {
        Job job;
        job.id = 5;
        job.state = JobState::failed;
        job.step = 7;
        job.num_steps = 12;
        job.request = with_defaults({}, testing::demoCard());
        job.request.finish.upscaler = "/models/gone.pth";
        job.error = Error(ErrorCode::file_not_found, "gone", {}, {{"path", "/models/gone.pth"}});
        WindowFixture fixture(testing::healthyRun(), static_cast<std::size_t>(-1),
                              [&job](testing::FakeEngine& engine) { engine.queue().leaveBehind({job}); });
        QVERIFY(fixture.isReady());
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        QTRY_COMPARE(fixture.queue().rowCount(), 1);
        QCOMPARE(entriesOf(menuOfFirstJob(fixture)),
                 QStringList({"queueLinkAction", "queueDecodeAction", "queueSkipFinishAction", "queueUseAction",
                              "queueDuplicateAction", "queueRemoveAction"}));
        trigger(menuOfFirstJob(fixture), "queueSkipFinishAction");
        QTRY_COMPARE(fixture.engine->queue().job(5)->state, JobState::finished);
        QVERIFY(fixture.engine->queue().job(5)->request.finish.is_empty());
    }

    void thePreviewHasAMenu() {
        const auto fixture = finished();
        QVERIFY(fixture);
        auto* player = fixture->window->createPage()->previewPanel()->player();
        QTRY_VERIFY(player->numFrames() > 0);
        QMenu* menu = menuAt(player, player->rect().center(), "previewMenu");
        QVERIFY(menu);
        QVERIFY(entriesOf(menu).contains("previewExportAction"));
        QVERIFY(entriesOf(menu).contains("previewFolderAction"));
        trigger(menu, "previewCopyFrameAction");
        QVERIFY(!QApplication::clipboard()->image().isNull());
        const bool played = player->isPlaying();
        trigger(menuAt(player, player->rect().center(), "previewMenu"), "previewPlayAction");
        QCOMPARE(player->isPlaying(), !played);
        trigger(menuAt(player, player->rect().center(), "previewMenu"), "previewExportAction");
        QVERIFY(dialogOf(*fixture));
    }

    void withoutAFileManagerThePathIsShown() {
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent");
        const QTemporaryDir folder;
        ui::systemDesktop().showInFolder(folder.filePath("clip.mp4"));
        const auto box = [] {
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (widget->objectName() == QLatin1String("noFileManagerBox"))
                    return qobject_cast<QMessageBox*>(widget);
            return static_cast<QMessageBox*>(nullptr);
        };
        QTRY_VERIFY(box());
        QVERIFY(box()->informativeText().endsWith("clip.mp4"));
        box()->findChild<QPushButton*>("copyPathButton")->click();
        QVERIFY(QApplication::clipboard()->text().endsWith("clip.mp4"));
    }

    void thePickerShowsPromptsNewestFirst() {
        const auto fixture = finished();
        QVERIFY(fixture);
        const QString prompt = QString::fromStdString(fixture->window->run().facts().request.prompt);
        fixture->action("actionGenerate")->trigger();
        QTRY_VERIFY(fixture->window->run().state() == RunState::done && fixture->bridge->jobs().size() == 2);
        fixture->action("actionCompare")->trigger();
        auto* picker = fixture->find<ui::RunPicker>("runACombo");
        QTRY_COMPARE(picker->count(), 2 + 3);  // "select a run", two videos, separator, "Choose a file…"
        QTRY_COMPARE(picker->itemText(1), QStringLiteral("A: ") + prompt);
        const auto age = [&](int row) { return QFileInfo(picker->itemData(row).toString()).lastModified(); };
        QVERIFY(age(1) >= age(2));
        QVERIFY(picker->itemData(1).toString() != picker->itemData(2).toString());
        QTRY_VERIFY(!picker->itemData(1, Qt::DecorationRole).value<QImage>().isNull());
        QVERIFY(picker->itemData(1, ui::RunPicker::FactsRole).toString().contains(".mp4"));
    }

    void anOldVideoIsOfferedWhileItIsChosen() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QDir folder(ui::Preferences(fixture.settings).outputFolder());
        QVERIFY(QDir().mkpath(folder.path()));
        constexpr int kVideos = 120;  // more than the picker lists
        for (int i = 0; i < kVideos; ++i) {
            QFile video(folder.filePath(QStringLiteral("%1.mp4").arg(i)));
            QVERIFY(video.open(QIODevice::WriteOnly));
            QVERIFY(video.setFileTime(QDateTime::currentDateTime().addSecs(-i), QFileDevice::FileModificationTime));
        }
        fixture.action("actionCompare")->trigger();
        auto* picker = fixture.find<ui::RunPicker>("runACombo");
        QTRY_VERIFY(picker->count() > 100);
        const int listed = picker->count();
        const QString oldest = folder.filePath(QStringLiteral("%1.mp4").arg(kVideos - 1));
        QCOMPARE(picker->findData(oldest), -1);
        picker->setFile(oldest);
        QCOMPARE(picker->currentData().toString(), oldest);
        QCOMPARE(picker->count(), listed + 1);
    }
};

QTEST_MAIN(TestExport)
#include "test_export.moc"
