#pragma once

#include <QSettings>
#include <QTemporaryDir>
#include <memory>

#include "ui/bridge/engine_bridge.h"
#include "ui/widgets/theme.h"
#include "ui/windows/main_window.h"

namespace kinescope::testing {

/// The window over the real engine and the built-in model, as the program puts them together. Settings, queue and
/// videos lie in a folder, which may outlive it: the next window on the same folder is the next start of the program.
class RealWindow {
public:
    explicit RealWindow(const QString& folder, const QString& language = QStringLiteral("en"));
    ~RealWindow();

    /// Any widget of the window by its name; null when there is none.
    template <class Widget>
    Widget* find(const char* name) {
        return window->findChild<Widget*>(QLatin1String(name));
    }
    void trigger(const char* action);
    /// Waits until a video can be asked for.
    bool isReady();
    /// Waits for a state of the run; a minute at most.
    bool reaches(ui::RunState state);
    /// Waits until so many steps are done.
    bool hasDone(int steps);
    /// Every frame of a video, as the engine reads it; empty when it cannot.
    std::vector<FramePtr> framesOf(const std::filesystem::path& video);
    int steps() const;

    QSettings settings;
    ui::Theme theme;
    QString lastShown;  ///< in the file manager
    QString saveName;   ///< what the user types when a name is asked for
    std::unique_ptr<ui::EngineBridge> bridge;
    std::unique_ptr<ui::MainWindow> window;
};

bool sameFrames(const std::vector<FramePtr>& a, const std::vector<FramePtr>& b);

}  // namespace kinescope::testing
