#include "tests/ui/scenarios/real_window.h"

#include <QAction>
#include <QStandardPaths>
#include <QtTest>
#include <algorithm>

#include "core/api/version.h"
#include "core/remote/device_engines.h"

namespace kinescope::testing {
namespace {

constexpr int kMinuteMs = 60'000;

}  // namespace

RealWindow::RealWindow(const QString& folder, const QString& language, const QString& resources)
    : settings(folder + QStringLiteral("/settings.ini"), QSettings::IniFormat) {
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "HF_HOME"})
        qputenv(variable, (folder + QLatin1Char('/') + QString::fromLatin1(variable).toLower()).toLocal8Bit());
    ui::Preferences(settings).setOutputFolder(folder + QStringLiteral("/videos"));
    ui::Preferences(settings).set(ui::setting::kLanguage, language);
    theme.install();
    const std::vector<std::string> arguments{"--resources", resources.toStdString(), "serve", "--jobs",
                                             folder.toStdString() + "/jobs"};
    bridge = std::make_unique<ui::EngineBridge>([arguments](RunObserver& observer) {
        return remote::make_device_engines(
            {.program = KINESCOPE_BIN_DIR "/kinescope-cli", .arguments = arguments, .version = kVersion}, observer);
    });
    ui::Desktop desktop;
    desktop.showInFolder = [this](const QString& file) { lastShown = file; };
    desktop.askSaveName = [this](const QString&, const QString&, const QString&) { return saveName; };
    desktop.askFolder = [](const QString&, const QString&) { return QString(); };
    desktop.askFile = [](const QString&, const QString&, const QString&) { return QString(); };
    desktop.askName = [](const QString&, const QString&) { return QString(); };
    desktop.askQuit = [](const ui::QuitQuestion&) { return ui::QuitAnswer::continueLater; };
    window = std::make_unique<ui::MainWindow>(theme, *bridge, settings, desktop);
    window->resize(1280, 720);
    window->resetLayout();
    window->show();
}

RealWindow::~RealWindow() {
    window.reset();  // before the bridge that it uses
}

void RealWindow::trigger(const char* action) {
    find<QAction>(action)->trigger();
}

bool RealWindow::isReady() {
    return QTest::qWaitFor([this] { return window->request().canRun() && window->request().plan(); }, kMinuteMs);
}

bool RealWindow::reaches(ui::RunState state) {
    return QTest::qWaitFor([this, state] { return window->run().state() == state; }, kMinuteMs);
}

int RealWindow::steps() const {
    const ui::RunProgress& progress = window->run().facts().progress;
    return progress.stepsBefore + static_cast<int>(progress.stepSeconds.size());
}

bool RealWindow::hasDone(int steps) {
    return QTest::qWaitFor([this, steps] { return this->steps() >= steps; }, kMinuteMs);
}

std::vector<FramePtr> RealWindow::framesOf(const std::filesystem::path& video) {
    QObject receiver;
    std::vector<FramePtr> frames;
    bool answered = false;
    bridge->request(
        kinescope::ui::Lane::slow, &receiver,
        [video](Engine& engine) { return engine.videos().read_frames(video, {}); },
        [&](const std::vector<FramePtr>& read) {
            frames = read;
            answered = true;
        },
        [&](const Error&) { answered = true; });
    return QTest::qWaitFor([&] { return answered; }, kMinuteMs) ? frames : std::vector<FramePtr>();
}

bool sameFrames(const std::vector<FramePtr>& a, const std::vector<FramePtr>& b) {
    return !a.empty() &&
           std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const FramePtr& one, const FramePtr& other) { return one->pixels == other->pixels; });
}

}  // namespace kinescope::testing
