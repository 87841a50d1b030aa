#pragma once

#include <QSettings>
#include <QTemporaryDir>
#include <functional>
#include <memory>

#include "tests/support/fake_computers.h"
#include "tests/support/fake_engine.h"
#include "ui/bridge/engine_bridge.h"
#include "ui/widgets/theme.h"
#include "ui/windows/create_page.h"
#include "ui/windows/main_window.h"

namespace kinescope::testing {

/// Number of events of healthyRun() up to its fourth step, for `holdAfter`.
inline constexpr std::size_t kFourSteps = 6 + 3 * 4;

/// A window with a fake engine and separate folders for settings and videos. It plans without a delay.
class WindowFixture {
public:
    /// Pauses the script after its first `holdAfter` events. Calls `prepare` before the window uses the engine.
    explicit WindowFixture(Script script, std::size_t holdAfter = static_cast<std::size_t>(-1),
                           const std::function<void(FakeEngine&)>& prepare = {});

    /// Returns a widget of the window by its object name, or nullptr.
    template <class Widget>
    Widget* find(const char* name) {
        return window->findChild<Widget*>(QLatin1String(name));
    }
    QAction* action(const char* name) { return find<QAction>(name); }
    /// Returns the rows of the queue.
    ui::QueueModel& queue() { return window->queueController().queue(); }
    void release() { engine->queue().release(); }
    /// Waits until the engine has returned a plan and has answered the requests of the start of the window.
    bool isReady();
    /// Waits until the run has this state.
    bool reaches(ui::RunState state);

    QTemporaryDir folder;
    QSettings settings;
    ui::Theme theme;
    FakeEngine* engine = nullptr;        ///< owned by the bridge; valid once the bridge is ready
    FakeComputers* computers = nullptr;  ///< around the engine; lists no other computer at first
    int shownInFolder = 0;
    QString lastShown;
    QString saveName;
    QString folderName;  ///< the answer to folder dialogs
    ui::QuitAnswer quitAnswer = ui::QuitAnswer::continueLater;
    ui::QuitQuestion quitQuestion;  ///< the last question of the quit dialog
    std::function<void()> whileQuitIsAsked;
    std::function<void()> whileNameIsAsked;  ///< for a file to save
    QString openName;
    QString typedName;
    std::unique_ptr<ui::EngineBridge> bridge;
    std::unique_ptr<ui::MainWindow> window;

private:
    /// Waits until the engine has answered what the window has asked so far.
    bool hasAnswers();
};

}  // namespace kinescope::testing
