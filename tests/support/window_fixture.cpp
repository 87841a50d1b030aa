#include "tests/support/window_fixture.h"

#include <QStandardPaths>
#include <QTest>
#include <chrono>
#include <memory>

namespace kinescope::testing {

namespace {

constexpr int kLongestMs = 60'000;  // on a machine with much other work

}  // namespace

WindowFixture::WindowFixture(Script script, std::size_t holdAfter, const std::function<void(FakeEngine&)>& prepare)
    : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat) {
    qputenv("XDG_CONFIG_HOME", folder.filePath(QStringLiteral("config")).toLocal8Bit());
    qputenv("XDG_CACHE_HOME", folder.filePath(QStringLiteral("cache")).toLocal8Bit());
    qputenv("XDG_DATA_HOME", folder.filePath(QStringLiteral("data")).toLocal8Bit());
    qputenv("HF_HOME", folder.filePath(QStringLiteral("no-cache")).toLocal8Bit());
    QStandardPaths::setTestModeEnabled(true);
    ui::Preferences(settings).setOutputFolder(folder.filePath(QStringLiteral("Kinescope")));
    ui::Preferences(settings).setTheme(QStringLiteral("dark"));
    ui::Preferences(settings).set(ui::setting::kLanguage, QStringLiteral("en"));
    theme.install();
    bridge = std::make_unique<ui::EngineBridge>([this, script, holdAfter, prepare](RunObserver& observer) {
        auto made = std::make_unique<FakeComputers>(script, observer);
        made->fake.queue().holdAfter(holdAfter);
        if (prepare) prepare(made->fake);
        engine = &made->fake;
        computers = made.get();
        return made;
    });
    ui::Desktop desktop;
    desktop.showInFolder = [this](const QString& file) {
        ++shownInFolder;
        lastShown = file;
    };
    desktop.askSaveName = [this](const QString&, const QString&, const QString&) {
        if (whileNameIsAsked) whileNameIsAsked();
        return saveName;
    };
    desktop.askFolder = [this](const QString&, const QString&) { return folderName; };
    desktop.askQuit = [this](const ui::QuitQuestion& question) {
        quitQuestion = question;
        if (whileQuitIsAsked) whileQuitIsAsked();
        return quitAnswer;
    };
    desktop.askFile = [this](const QString&, const QString&, const QString&) { return openName; };
    desktop.askName = [this](const QString&, const QString&) { return typedName; };
    window = std::make_unique<ui::MainWindow>(theme, *bridge, settings, desktop);
    window->request().setPlanDelay(std::chrono::milliseconds(0));
    window->resize(1280, 720);
    window->resetLayout();
    window->show();
}

bool WindowFixture::isReady() {
    const auto isPlanned = [this] { return window->request().plan().has_value(); };
    return QTest::qWaitFor(isPlanned, kLongestMs) && hasAnswers() && hasAnswers();  // answers lead to more questions
}

bool WindowFixture::hasAnswers() {
    const auto numOpen = std::make_shared<int>(0);
    for (const ui::Lane lane : {ui::Lane::questions, ui::Lane::media, ui::Lane::slow}) {
        ++*numOpen;
        bridge->request(
            lane, window.get(), [](Engine&) {}, [numOpen] { --*numOpen; }, [](const Error&) {});
    }
    return QTest::qWaitFor([numOpen] { return *numOpen == 0; }, kLongestMs);
}

bool WindowFixture::reaches(ui::RunState state) {
    return QTest::qWaitFor([this, state] { return window->run().state() == state; }, kLongestMs);
}

}  // namespace kinescope::testing
