#include "scenes.h"

#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTableView>
#include <cmath>
#include <functional>
#include <utility>

#include "ui/models/computer_list_model.h"
#include "ui/models/explore_model.h"
#include "ui/models/request_model.h"
#include "ui/panels/mask_dialog.h"
#include "ui/panels/numbers_panel.h"
#include "ui/panels/run_picker.h"
#include "ui/widgets/compare_player.h"
#include "ui/widgets/image_tile.h"
#include "ui/widgets/mask_canvas.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/windows/compare_page.h"
#include "ui/windows/doctor_page.h"
#include "ui/windows/export_dialog.h"
#include "ui/windows/finish_dialog.h"
#include "ui/windows/models_page.h"
#include "ui/windows/preferences_dialog.h"

namespace kinescope::screenshots {

namespace {

constexpr int kWaitMs = 20'000;
constexpr std::size_t kMidRun = 6 + 3 * 7 + 2;       ///< number of events until the samples of step 8
constexpr std::size_t kLongMidRun = 6 + 3 * 30 + 2;  ///< number of events of a long run until the samples of step 31
constexpr int kLogSteps = 12;
constexpr int kLogBlocks = 10;

/// Counts how often widgets are drawn.
class PaintCounter : public QObject {
public:
    int count() const { return count_; }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++count_;
        return false;
    }

private:
    int count_ = 0;
};

bool isIn(WindowFixture& fixture, ui::RunState state) {
    return fixture.window->run().state() == state;
}

void openPrecision(WindowFixture& fixture) {
    for (const char* name : {"videoSection", "qualitySection", "memorySection"})
        fixture.find<ui::Section>(name)->setExpanded(false);
    fixture.find<ui::Section>("precisionSection")->setExpanded(true);
    fixture.window->request().edit([](VideoRequest& request) { request.dtype = DtypeChoice::fp16; });
}

void askForALargeVideo(WindowFixture& fixture) {
    fixture.find<ui::Section>("videoSection")->setExpanded(true);
    fixture.window->request().edit([](VideoRequest& request) {
        request.width = 240;
        request.height = 160;
    });
    fixture.find<QSpinBox>("framesSpin")->setValue(30);
}

bool modelsAreRead(WindowFixture& fixture) {
    auto* page = fixture.find<ui::ModelsPage>("modelsPage");
    if (page->table().rowCount() < 3 || page->table().isScanning()) return false;
    auto* view = fixture.find<QTableView>("modelView");
    view->setCurrentIndex(view->model()->index(2, 0));
    return true;
}

bool downloadsAreShown(WindowFixture& fixture) {
    if (!modelsAreRead(fixture)) return false;
    fixture.find<ui::ModelsPage>("modelsPage")->showDownloads();
    return true;
}

/// Simulates a computer with a GPU that lacks GPU support.
void plugInCard(testing::FakeEngine& engine) {
    engine.setGpuSetup({.need = GpuNeed::download,
                        .card = "NVIDIA GeForce RTX 4090",
                        .driver_cuda = "13.0",
                        .needed_cuda = "13.0",
                        .needed_driver = "580",
                        .download_bytes = 2'500'000'000,
                        .bytes_to_download = 2'500'000'000});
}

void showOffer(WindowFixture& fixture) {
    waitFor([&] { return fixture.find<QWidget>("gpuStrip")->isVisible(); });
}

void startDownload(WindowFixture& fixture) {
    showOffer(fixture);
    auto* strip = fixture.find<QWidget>("gpuStrip");
    strip->findChild<QPushButton*>()->click();
    auto* bar = strip->findChild<QProgressBar*>();
    waitFor([&] { return bar->isVisible() && bar->value() > 0; });
}

void finishDownload(WindowFixture& fixture) {
    startDownload(fixture);
    fixture.engine->finishInstallation();
    waitFor([&] { return !fixture.find<QWidget>("gpuStrip")->findChild<QProgressBar*>()->isVisible(); });
}

Scene gpuScene(const char* name, const std::function<void(WindowFixture&)>& after) {
    return {.name = name,
            .script = testing::healthyRun(),
            .holdAfter = static_cast<std::size_t>(-1),
            .reached = {},
            .after = after,
            .looks = Looks::few,
            .prepare = plugInCard};
}

bool computerIsChecked(WindowFixture& fixture) {
    return !fixture.find<ui::DoctorPage>("doctorPage")->report().isEmpty();
}

/// Returns the peak of a block at a step. `drift` increases the difference between two runs with each step.
double peakOf(int step, int block, double drift) {
    return 4 + block + std::sin(step + block) + drift * std::exp2(step + block / 3.0 - 18);
}

/// Returns the engine's comparison of two logs written by writeLog().
CompareReport comparisonOfLogs() {
    CompareReport report{.kind = CompareKind::logs, .num_compared = kLogSteps * kLogBlocks * 5};
    for (int step = 0; step < kLogSteps; ++step) {
        for (int block = 0; block < kLogBlocks; ++block) {
            const double a = peakOf(step, block, 0), b = peakOf(step, block, 1);
            const double apart = std::abs(a - b) / b;
            const LoggedPlace place{.phase = "denoise",
                                    .step = step,
                                    .branch = "cond",
                                    .component = "transformer",
                                    .site = "blocks." + std::to_string(block) + ".ffn"};
            if (apart > report.largest_difference) report.largest_place = place;
            report.largest_difference = std::max(report.largest_difference, apart);
            if (apart > CompareTolerance().relative && !report.first_difference)
                report.first_difference = StatisticDifference{place, Statistic::max_abs, a, b};
        }
    }
    return report;
}

/// Writes the numeric log of a run with peakOf().
void writeLog(const QString& name, double drift) {
    QFile log(name);
    if (!log.open(QIODevice::WriteOnly)) return;
    for (int step = 0; step < kLogSteps; ++step) {
        for (int block = 0; block < kLogBlocks; ++block) {
            const double peak = peakOf(step, block, drift);
            log.write(
                QStringLiteral(R"({"record":"stat","phase":"denoise","step":%1,"branch":"cond","site":"blocks.%2.ffn",)"
                               R"("min":-1,"max":%3,"max_abs":%3,"mean":0,"std":1})")
                    .arg(step)
                    .arg(block)
                    .arg(peak, 0, 'g', 12)
                    .toUtf8() +
                '\n');
        }
        QStringList counts;
        for (int bin = 0; bin < 32; ++bin) {
            const double x = (bin - 15.5 + drift * step / 40) / (4 + (kLogSteps - step) / 4.0);
            counts << QString::number(static_cast<int>(900 * std::exp(-x * x / 2)));
        }
        log.write(QStringLiteral(R"({"record":"step","step":%1,"latents_histogram":{"min":-4,"max":4,"counts":[%2]}})")
                      .arg(step)
                      .arg(counts.join(','))
                      .toUtf8() +
                  '\n');
    }
}

bool runsAreCompared(WindowFixture& fixture) {
    auto* page = fixture.find<ui::ComparePage>("comparePage");
    const bool plotted = fixture.find<QWidget>("comparePlotsPanel")->isVisible();
    const bool shown = fixture.find<ui::ComparePlayer>("comparePlayer")->numFrames() > 0;
    if (page->comparison().videos && shown && plotted) return true;
    if (page->property("asked").toBool()) return false;
    fixture.engine->setLogComparison(comparisonOfLogs());
    for (const char* name : {"a", "b"}) {
        const QString stem = fixture.folder.filePath(QLatin1String(name));
        writeLog(stem + QStringLiteral(".jsonl"), *name == 'b' ? 1 : 0);
        QFile(stem + QStringLiteral(".mp4")).open(QIODevice::WriteOnly);
    }
    page->compare(fixture.folder.filePath("a.mp4"), fixture.folder.filePath("b.mp4"));
    page->setProperty("asked", true);
    return false;
}

/// Selects a model with tiled decoding and turns all memory saving options on.
void saveMemory(WindowFixture& fixture) {
    ui::RequestModel& request = fixture.window->request();
    request.chooseModel(testing::kTilingModel);
    waitFor([&] { return request.card().id == testing::kTilingModel; });
    request.edit([](VideoRequest& asked) {
        asked.max_memory_bytes = std::int64_t{8} << 30;
        asked.offload = OffloadMode::blocks;
        asked.vae_tiling = true;
    });
    waitFor([&] { return request.plan() && request.plan()->request.max_memory_bytes; });
    fixture.find<ui::Section>("memorySection")->setExpanded(true);
    settle();
    fixture.find<QScrollArea>("requestScrollArea")->ensureWidgetVisible(fixture.find<QWidget>("vaeTilingCheck"));
}

/// Selects a model with start image, last frame and all extra fields.
void chooseImageModel(WindowFixture& fixture) {
    fixture.window->request().chooseModel(testing::kImageModel);
    waitFor([&] { return fixture.find<QWidget>("startImageTile")->isVisible(); });
}

/// Shows every plot, in windows of any size.
void showAllPlots(WindowFixture& fixture) {
    fixture.window->createPage()->numbersPanel()->setExpert(true);
    fixture.window->createPage()->numbersDock()->show();
}

bool midRun(WindowFixture& fixture) {
    return fixture.window->run().facts().progress.stepSeconds.size() >= 7;
}

/// Adds earlier videos and several jobs.
void fillLibrary(WindowFixture& fixture) {
    const QDir videos(ui::Preferences(fixture.settings).outputFolder());
    videos.mkpath(QStringLiteral("."));
    const QStringList prompts{"A lighthouse on a rocky cliff at dusk",
                              "Paper boat on a lake",
                              "A red ball bounces",
                              "Wind over desert dunes",
                              "Northern lights over a frozen lake",
                              "City lights in the rain"};
    for (int i = 0; i < prompts.size(); ++i) {
        const QString stem = videos.filePath(QStringLiteral("video-%1").arg(i));
        QFile video(stem + ".mp4");
        if (!video.open(QIODevice::WriteOnly)) continue;
        video.write(QByteArray(200'000 + 10'000 * i, 'v'));
        video.flush();
        video.setFileTime(QDateTime::currentDateTime().addSecs(-i * 40'000), QFileDevice::FileModificationTime);
        QFile log(stem + ".jsonl");
        if (log.open(QIODevice::WriteOnly))
            log.write(i == 4   ? "{\"status\":\"healed\"}"
                      : i == 5 ? "{\"status\":\"cancelled\"}"
                               : "{\"status\":\"completed\"}");
        VideoRequest request = with_defaults({}, testing::demoCard());
        request.prompt = prompts[i].toStdString();
        request.seed = 41822 + i;
        fixture.engine->keepSettings(QFileInfo(video).absoluteFilePath().toStdString(), request);
    }
    fixture.find<QSpinBox>("countSpin")->setValue(3);
}

/// Jobs in every state, with long texts.
void fillQueue(testing::FakeEngine& engine) {
    std::vector<Job> jobs(6);
    const JobState states[] = {JobState::paused, JobState::waiting,  JobState::waiting,
                               JobState::failed, JobState::finished, JobState::cancelled};
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].id = static_cast<JobId>(100 + i);
        jobs[i].request.prompt =
            "A lighthouse on a rocky cliff at dusk, waves below, gulls above, number " + std::to_string(i);
        jobs[i].request.width = 832;
        jobs[i].request.height = 480;
        jobs[i].request.num_frames = 81;
        jobs[i].state = states[i];
        jobs[i].step = 12;
        jobs[i].num_steps = 50;
    }
    jobs[1].waits_for = "ReqNodeNotAvail";
    jobs[3].error = Error(ErrorCode::out_of_memory, "the GPU has too little memory", "Make the video smaller.");
    engine.queue().leaveBehind(std::move(jobs));
}

void openLibrary(WindowFixture& fixture) {
    fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
    auto* view = fixture.find<QListView>("historyView");
    waitFor([&] { return view->model()->rowCount() > 6; });
    settle();  // the settings of the videos arrive one by one
    waitFor([&] {
        view->setCurrentIndex({});
        view->setCurrentIndex(view->model()->index(1, 0));  // after the first heading
        return fixture.find<QPushButton>("useSettingsButton")->isVisible();
    });
    waitFor([&] {
        for (int row = 0; row < view->model()->rowCount(); ++row) {
            const QModelIndex index = view->model()->index(row, 0);
            const bool video = !index.data(ui::HistoryModel::HeadingRole).toBool();
            if (video && index.data(ui::HistoryModel::FramesRole).value<QList<QImage>>().isEmpty()) return false;
        }
        return true;
    });
}

void openPage(WindowFixture& fixture, const char* action) {
    fixture.action(action)->trigger();
}

void askForManySteps(WindowFixture& fixture) {
    fixture.find<QSpinBox>("stepsSpin")->setValue(50);
    waitFor([&] { return fixture.window->request().plan().has_value(); });
}

bool longMidRun(WindowFixture& fixture) {
    return fixture.window->run().facts().progress.stepSeconds.size() >= 30;
}

/// Returns true when the file check has found NaN in a model file.
bool damageIsFound(WindowFixture& fixture) {
    auto* page = fixture.find<ui::ModelsPage>("modelsPage");
    if (page->table().rowCount() < 3 || page->table().isScanning() || page->checker().isRunning()) return false;
    auto* view = fixture.find<QTableView>("modelView");
    view->setCurrentIndex(view->model()->index(1, 0));
    if (ui::modelState(page->table().entry(1)) == ui::ModelState::damaged) return true;
    fixture.engine->setCheck(
        {.file = {},
         .sha256 = std::string(64, 'a'),
         .checked = "2026-11-20T14:18:00Z",
         .num_tensors = 825,
         .faults = {
             {.tensor = "blocks.12.attn1.to_v.weight", .dtype = "bfloat16", .count = 2'359'296, .non_finite = 14}}});
    fixture.find<QPushButton>("checkFilesButton")->click();
    return false;
}

bool checkIsUnderWay(WindowFixture& fixture) {
    auto* page = fixture.find<ui::ModelsPage>("modelsPage");
    if (page->checker().isRunning()) return page->checker().facts().share > 0.1;
    if (!modelsAreRead(fixture)) return false;
    fixture.engine->setCheck({}, 20);
    fixture.find<QPushButton>("checkFilesButton")->click();
    return false;
}

Scene errorScene(const char* name, const Error& error) {
    return {.name = name,
            .script = testing::failingRun(error),
            .holdAfter = static_cast<std::size_t>(-1),
            .reached = [](WindowFixture& fixture) { return fixture.window->run().state() == ui::RunState::failed; },
            .looks = Looks::few};
}

/// The finish dialog at work.
void openFinish(WindowFixture& fixture) {
    fixture.engine->setFinishHeld(true);
    fixture.action("actionFinishVideo")->trigger();
    auto* dialog = fixture.find<ui::FinishDialog>("finishDialog");
    const auto type = [dialog](const char* name, const QString& text) {
        dialog->findChild<QLineEdit*>(QLatin1String(name))->setText(text);
    };
    type("finishUpscalerEdit", QStringLiteral("/models/upscale_models/RealESRGAN_x2plus.pth"));
    type("finishInterpolatorEdit", QStringLiteral("/models/rife/rife49.pth"));
    type("finishNameEdit", QStringLiteral("/videos/ball-finished.mp4"));
    dialog->findChild<QPushButton*>(QStringLiteral("startFinishButton"))->click();
    waitFor([dialog] { return dialog->findChild<QProgressBar*>(QStringLiteral("finishProgressBar"))->value() == 12; });
}

/// The Explore page with six results.
void explore(WindowFixture& fixture) {
    openPage(fixture, "actionExplore");
    fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText(QStringLiteral("a {red|green|yellow} ball"));
    fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(2);
    fixture.find<QPushButton>("exploreButton")->click();
    auto* view = fixture.find<QListView>("exploreView");
    waitFor([view] {
        for (int row = 0; row < view->model()->rowCount(); ++row)
            if (view->model()->index(row, 0).data(ui::ExploreModel::FramesRole).value<QList<QImage>>().isEmpty())
                return false;
        return view->model()->rowCount() == 6;
    });
    view->setCurrentIndex(view->model()->index(1, 0));
}

/// The mask brush with a painted stroke.
void paintMask(WindowFixture& fixture) {
    fixture.window->request().chooseModel("/models/control");
    waitFor([&] { return fixture.window->request().card().id == "/models/control"; });
    fixture.window->request().edit([](VideoRequest& request) { request.video = "/videos/clip.mp4"; });
    fixture.find<QPushButton>("paintMaskButton")->click();
    ui::MaskCanvas* canvas = fixture.find<ui::MaskDialog>("maskDialog")->canvas();
    waitFor([canvas] { return !canvas->mask().isNull(); });
    for (const int key : {Qt::Key_Space, Qt::Key_Right, Qt::Key_Right, Qt::Key_Down, Qt::Key_Right}) {
        QKeyEvent press(QEvent::KeyPress, key, key == Qt::Key_Space ? Qt::NoModifier : Qt::ShiftModifier);
        QApplication::sendEvent(canvas, &press);
    }
}

/// A long video, whose second part has no prompt yet, and opened settings with finish steps.
void addParts(WindowFixture& fixture) {
    fixture.window->request().chooseModel("/models/start");
    waitFor([&] { return fixture.window->request().card().id == "/models/start"; });
    fixture.window->request().edit([](VideoRequest& request) {
        request.video = "/videos/clip.mp4";
        request.next_prompts = {"The ball rolls to the edge of the table", ""};
        request.finish.upscaler = "/models/RealESRGAN_x2plus.pth";
        request.finish.audio.file = "/music/waves.wav";
    });
    for (const char* name : {"inputSection", "finishSection"}) fixture.find<ui::Section>(name)->setExpanded(true);
    waitFor([&] { return fixture.find<ui::ImageTile>("inputVideoTile")->hasThumbnail(); });
}

/// The token field with a message.
void refuseToken(WindowFixture& fixture) {
    auto* token = fixture.find<QLineEdit>("tokenEdit");
    token->setText(QStringLiteral("two words"));
    fixture.find<QPushButton>("saveTokenButton")->click();
}

/// The export dialog with an estimated size.
void openExport(WindowFixture& fixture) {
    fixture.action("actionExportVideo")->trigger();
    auto* dialog = fixture.find<ui::ExportDialog>("exportDialog");
    auto* format = dialog->findChild<QComboBox*>(QStringLiteral("exportFormatCombo"));
    format->setCurrentIndex(format->findData(QStringLiteral("webm")));
    Q_EMIT format->activated(format->currentIndex());
}

void openVideoMenu(WindowFixture& fixture) {
    openLibrary(fixture);
    auto* view = fixture.find<QListView>("historyView");
    const QPoint where = view->visualRect(view->currentIndex()).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, where, view->viewport()->mapToGlobal(where));
    QApplication::sendEvent(view->viewport(), &event);
}

/// Opens the list of runs to compare.
void openRunPicker(WindowFixture& fixture) {
    auto* picker = fixture.find<ui::RunPicker>("runACombo");
    waitFor([&] { return picker->count() > 6; });
    settle();
    picker->showPopup();
}

void openLibraryAsList(WindowFixture& fixture) {
    openLibrary(fixture);
    fixture.find<ui::Segmented>("historyLookButtons")->setCurrentIndex(1);
}

/// Two other computers: one that works and one that is off.
void addComputers(WindowFixture& fixture) {
    fixture.computers->setList(
        {{.computer = {"studio", "ssh studio kinescope-cli serve --keep", {{"/home/me/models", "/data/models"}}},
          .state = ComputerState::connected,
          .num_open_jobs = 2},
         {.computer = {"laptop", "ssh laptop kinescope-cli serve --keep", {}}, .state = ComputerState::unreachable}});
    waitFor([&] { return fixture.find<QComboBox>("runsOnCombo")->count() == 3; });
}

void runOnStudio(WindowFixture& fixture) {
    addComputers(fixture);
    ui::ComputerListModel::of(*fixture.bridge).choose("studio");
    waitFor([&] { return fixture.window->request().plan().has_value(); });
}

/// The page of the preferences after a test of the connection.
void openComputers(WindowFixture& fixture) {
    addComputers(fixture);
    fixture.action("actionPreferences")->trigger();
    auto* dialog = fixture.window->findChild<ui::PreferencesDialog*>();
    dialog->move(fixture.window->pos() + QPoint(60, 40));
    dialog->findChild<QListWidget*>()->setCurrentRow(4);
    auto* list = dialog->findChild<QListView*>("computerList");
    list->setCurrentIndex(list->model()->index(1, 0));
    dialog->findChild<QPushButton*>("testComputerButton")->click();
}

}  // namespace

bool waitFor(const std::function<bool()>& reached) {
    QElapsedTimer clock;
    clock.start();
    while (!reached() && clock.elapsed() < kWaitMs) QApplication::processEvents(QEventLoop::AllEvents, 20);
    return reached();
}

void settle() {
    constexpr int kQuietMs = 150, kLongestMs = 600;
    PaintCounter paints;
    qApp->installEventFilter(&paints);
    QElapsedTimer clock, quiet;
    clock.start();
    quiet.start();
    for (int seen = 0; quiet.elapsed() < kQuietMs && clock.elapsed() < kLongestMs;) {
        QApplication::processEvents(QEventLoop::AllEvents, 20);
        if (paints.count() == seen) continue;
        seen = paints.count();
        quiet.restart();
    }
}

std::vector<Scene> allScenes() {
    const auto never = static_cast<std::size_t>(-1);
    return {
        {"idle", testing::healthyRun(), never, {}},
        {"generating", testing::healthyRun(), kMidRun,
         [](WindowFixture& fixture) { return fixture.window->run().facts().progress.stepSeconds.size() >= 7; }},
        {"done", testing::healthyRun(), never,
         [](WindowFixture& fixture) { return isIn(fixture, ui::RunState::done); }},
        {"warned",
         testing::warnedRun(),
         never,
         [](WindowFixture& fixture) { return isIn(fixture, ui::RunState::done); },
         {},
         {},
         "actionGenerate",
         Looks::few},
        {"healed", testing::healedRun(4), kMidRun + 2,
         [](WindowFixture& fixture) { return fixture.window->run().facts().progress.stepSeconds.size() >= 7; }},
        {"healing", testing::healedRun(4), 6 + 3 * 4 + 2,
         [](WindowFixture& fixture) { return fixture.window->run().facts().redoing.has_value(); }},
        {"precision", testing::healthyRun(), never, {}, openPrecision},
        {"hints", testing::healthyRun(), never, {}, askForALargeVideo},
        {"expert", testing::healedRun(4), kMidRun + 2,
         [](WindowFixture& fixture) { return fixture.window->run().facts().progress.stepSeconds.size() >= 7; },
         showAllPlots},
        {"paused", testing::healthyRun(), kMidRun,
         [](WindowFixture& fixture) {
             if (midRun(fixture)) fixture.window->run().pause();
             return isIn(fixture, ui::RunState::paused);
         }},
        {"stopped", testing::healthyRun(), kMidRun,
         [](WindowFixture& fixture) {
             if (midRun(fixture)) fixture.window->run().stop();
             return isIn(fixture, ui::RunState::stopped);
         }},
        {"library", testing::healthyRun(), kMidRun, midRun, fillLibrary, openLibrary},
        {"queue",
         testing::healthyRun(),
         never,
         [](WindowFixture& fixture) { return fixture.window->queueController().queue().rowCount() == 6; },
         {},
         {},
         "actionLibrary",
         Looks::all,
         fillQueue},
        {"export",
         testing::healthyRun(),
         never,
         [](WindowFixture& fixture) { return isIn(fixture, ui::RunState::done); },
         {},
         openExport},
        {"finish",
         testing::healthyRun(),
         never,
         [](WindowFixture& fixture) { return isIn(fixture, ui::RunState::done); },
         {},
         openFinish},
        {"video-menu", testing::healthyRun(), kMidRun, midRun, fillLibrary, openVideoMenu},
        {"compare-picker", testing::healthyRun(), never, [](WindowFixture&) { return true; }, fillLibrary,
         openRunPicker, "actionCompare"},
        {"library-list", testing::healthyRun(), kMidRun, midRun, fillLibrary, openLibraryAsList},
        {"fields", testing::healthyRun(), never, {}, chooseImageModel},
        {"memory", testing::healthyRun(), never, {}, saveMemory},
        {"error", testing::notFiniteRun(8), never,
         [](WindowFixture& fixture) { return isIn(fixture, ui::RunState::failed); }},
        {"models", testing::healthyRun(), never, modelsAreRead, {}, {}, "actionModels"},
        {"downloads", testing::healthyRun(), never, downloadsAreShown, {}, {}, "actionModels"},
        {"token", testing::healthyRun(), never, downloadsAreShown, {}, refuseToken, "actionModels", Looks::few},
        {"explore", testing::healthyRun(), never, {}, {}, explore, "", Looks::all},
        {"parts", testing::healthyRun(), never, {}, {}, addParts, "", Looks::all},
        {"mask", testing::healthyRun(), never, {}, {}, paintMask, "", Looks::all},
        {"doctor", testing::healthyRun(), never, computerIsChecked, {}, {}, "actionDoctor"},
        {"compare", testing::healthyRun(), never, runsAreCompared, {}, {}, "actionCompare"},
        {"long", testing::longRun(), kLongMidRun, longMidRun, askForManySteps},
        {"check", testing::healthyRun(), never, checkIsUnderWay, {}, {}, "actionModels", Looks::few},
        {"checked", testing::healthyRun(), never, damageIsFound, {}, {}, "actionModels", Looks::few},
        {"library-empty",
         testing::healthyRun(),
         never,
         {},
         {},
         [](WindowFixture& fixture) { openPage(fixture, "actionLibrary"); },
         "",
         Looks::few},
        {"compare-empty",
         testing::healthyRun(),
         never,
         {},
         {},
         [](WindowFixture& fixture) { openPage(fixture, "actionCompare"); },
         "",
         Looks::few},
        {"computers", testing::healthyRun(), never, {}, {}, openComputers, "", Looks::few},
        {"runs-on", testing::healthyRun(), kMidRun, midRun, runOnStudio, {}, "actionGenerate", Looks::few},
        {"runs-on-queue", testing::healthyRun(), kMidRun, midRun, runOnStudio,
         [](WindowFixture& fixture) { openPage(fixture, "actionLibrary"); }, "actionGenerate", Looks::few},
        gpuScene("gpu-offer", showOffer),
        gpuScene("gpu-download", startDownload),
        gpuScene("gpu-installed", finishDownload),
        gpuScene("gpu-doctor",
                 [](WindowFixture& fixture) {
                     showOffer(fixture);
                     openPage(fixture, "actionDoctor");
                     waitFor([&] { return computerIsChecked(fixture); });
                 }),
        errorScene("error-memory", {ErrorCode::out_of_memory,
                                    "the transformer needs 12.9 GB, 10.4 GB are free",
                                    "",
                                    {{"component", "transformer"}, {"needed", "12900000000"}}}),
        errorScene("error-file",
                   {ErrorCode::checkpoint_truncated,
                    "wan.safetensors ends early",
                    "",
                    {{"path", "/models/wan.safetensors"}, {"bytes", "6100000000"}, {"expected", "9800000000"}}}),
        errorScene("error-observed", {ErrorCode::not_finite,
                                      "step 1, transformer.blocks.7.ffn: 0 NaN and 314 Inf of 720 values",
                                      "Run again with --guard heal.",
                                      {{"guard", "observe"},
                                       {"phase", "denoise"},
                                       {"step", "1"},
                                       {"site", "transformer.blocks.7.ffn"},
                                       {"nan", "0"},
                                       {"inf", "314"},
                                       {"count", "720"}}}),
        errorScene("error-disk", {ErrorCode::disk_full,
                                  "the video does not fit",
                                  "",
                                  {{"path", "/videos/ball.mp4"}, {"free_bytes", "180000000"}}}),
    };
}

}  // namespace kinescope::screenshots
