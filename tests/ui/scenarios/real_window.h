#pragma once

#include <QSettings>
#include <QTemporaryDir>
#include <memory>

#include "ui/bridge/engine_bridge.h"
#include "ui/widgets/theme.h"
#include "ui/windows/main_window.h"

namespace kinescope::testing {

/// The main window with the real engine, in a process of its own, and the built-in model. Settings, queue and videos
/// are in a folder; a new window with the same folder corresponds to a restart of the program.
class RealWindow {
public:
    explicit RealWindow(const QString& folder, const QString& language = QStringLiteral("en"),
                        const QString& resources = QStringLiteral(KINESCOPE_SOURCE_DIR "/resources"));
    ~RealWindow();

    /// Returns a widget by its object name, or nullptr.
    template <class Widget>
    Widget* find(const char* name) {
        return window->findChild<Widget*>(QLatin1String(name));
    }
    void trigger(const char* action);
    /// Waits until a video can be generated.
    bool isReady();
    /// Waits up to a minute for a state of the run.
    bool reaches(ui::RunState state);
    /// Waits until this many steps are complete.
    bool hasDone(int steps);
    /// Returns all frames of a video. Empty if the video can't be read.
    std::vector<FramePtr> framesOf(const std::filesystem::path& video);
    int steps() const;

    QSettings settings;
    ui::Theme theme;
    QString lastShown;  ///< last path shown in the file manager
    QString saveName;   ///< the answer to the next save dialog
    std::unique_ptr<ui::EngineBridge> bridge;
    std::unique_ptr<ui::MainWindow> window;
};

bool sameFrames(const std::vector<FramePtr>& a, const std::vector<FramePtr>& b);

}  // namespace kinescope::testing
