#pragma once

#include <QObject>
#include <QPointer>

#include "ui/models/preferences.h"
#include "ui/windows/desktop.h"

namespace kinescope::ui {

class EngineBridge;
class MainMenu;
class NoticeBoard;
class PreferencesDialog;
class RequestModel;
class Theme;

/// Opens the preferences and makes them act; saves, imports and exports presets.
class SettingsDesk : public QObject {
    Q_OBJECT

public:
    struct Parts {
        Theme& theme;
        EngineBridge& bridge;
        RequestModel& request;
        MainMenu& menu;
        NoticeBoard& notices;
        const Desktop& desktop;
    };

    /// `window` becomes the parent, and that of the dialog.
    SettingsDesk(QWidget& window, Preferences preferences, const Parts& parts);

    void openPreferences();
    void savePreset();
    void savePresetAs();
    void importPreset();
    void exportPreset();
    /// A preset that was dropped on the window, or opened with the program.
    void importPreset(const QString& file);
    /// Everything as the preferences have it now.
    void apply();

Q_SIGNALS:
    /// The window shows theme and folder in places of its own.
    void applied();

private:
    /// Says in the strip how it went; `problem` is empty when it went well.
    void tell(const QString& problem, const QString& done);

    QWidget& window_;
    Preferences preferences_;
    Parts parts_;
    QPointer<PreferencesDialog> dialog_;
};

}  // namespace kinescope::ui
