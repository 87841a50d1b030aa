#pragma once

#include <QObject>
#include <QPointer>
#include <functional>

#include "ui/models/preferences.h"
#include "ui/models/preset_model.h"
#include "ui/windows/desktop.h"

namespace kinescope::ui {

class EngineBridge;
class MainMenu;
class NoticeBoard;
class PreferencesDialog;
class RequestModel;
class Theme;

/// Opens the preferences and applies them; saves, imports and exports presets.
class SettingsController : public QObject {
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

    /// `window` becomes the parent of this object and of the dialog.
    SettingsController(QWidget& window, Preferences preferences, const Parts& parts);

    void openPreferences();
    void savePreset();
    void savePresetAs();
    void importPreset();
    void exportPreset();
    /// Deletes the selected preset and offers to undo this.
    void deletePreset();
    /// Imports a preset that was dropped on the window or passed to the program.
    void importPreset(const QString& file);
    /// Applies the current preferences.
    void apply();

Q_SIGNALS:
    /// Emitted when the window must update theme and folder.
    void applied();

private:
    using SavePreset = std::function<void(ExistingPreset, const PresetModel::Saved&)>;

    /// Saves a preset. Offers to replace a user preset of that name.
    void saveOrAsk(const SavePreset& save, const QString& done);
    /// Returns a function that shows the result of saving a preset.
    PresetModel::Saved shown(const QString& done);
    /// Confirms a deletion and offers to undo it.
    void showDeleted(const DeletedPreset& deleted);
    /// Shows the result in the notice strip. An empty `problem` means success.
    void showResult(const QString& problem, const QString& done);

    QWidget& window_;
    Preferences preferences_;
    Parts parts_;
    QPointer<PreferencesDialog> dialog_;
};

}  // namespace kinescope::ui
