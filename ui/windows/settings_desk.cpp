#include "ui/windows/settings_desk.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

#include "ui/models/preset_model.h"
#include "ui/models/request_model.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"
#include "ui/windows/main_menu.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/preferences_dialog.h"

namespace kinescope::ui {
namespace {

const QString kEnding = QStringLiteral(".kinescope.json");

}  // namespace

SettingsDesk::SettingsDesk(QWidget& window, Preferences preferences, const Parts& parts)
    : QObject(&window), window_(window), preferences_(preferences), parts_(parts) {
    connect(parts_.menu.preferences, &QAction::triggered, this, &SettingsDesk::openPreferences);
    connect(parts_.menu.savePreset, &QAction::triggered, this, &SettingsDesk::savePreset);
    connect(parts_.menu.savePresetAs, &QAction::triggered, this, &SettingsDesk::savePresetAs);
    connect(parts_.menu.importPreset, &QAction::triggered, this, qOverload<>(&SettingsDesk::importPreset));
    connect(parts_.menu.exportPreset, &QAction::triggered, this, &SettingsDesk::exportPreset);
}

void SettingsDesk::openPreferences() {
    if (!dialog_) {
        dialog_ = new PreferencesDialog({parts_.theme, preferences_, parts_.bridge, parts_.desktop}, &window_);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog_, &PreferencesDialog::changed, this, &SettingsDesk::apply);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

void SettingsDesk::apply() {
    chooseLanguage(preferences_.language());
    parts_.theme.setTextScalePercent(preferences_.textPercent());
    parts_.request.setRules(preferences_.rules());
    Q_EMIT applied();
}

void SettingsDesk::savePreset() {
    const PresetInfo* chosen = parts_.request.presets().chosen();
    if (!chosen || !chosen->own) return savePresetAs();
    const QString name = QString::fromStdString(chosen->name);
    tell(parts_.request.presets().save(name), tr("Saved as “%1”").arg(name));
}

void SettingsDesk::savePresetAs() {
    const QString name = parts_.desktop.askName(tr("Name of the preset"), tr("My settings")).simplified();
    if (!name.isEmpty()) tell(parts_.request.presets().save(name), tr("Saved as “%1”").arg(name));
}

void SettingsDesk::importPreset() {
    const QString file = parts_.desktop.askFile(tr("Import a preset"), QDir::homePath(), tr("Presets (*.json)"));
    if (!file.isEmpty()) importPreset(file);
}

void SettingsDesk::importPreset(const QString& file) {
    tell(parts_.request.presets().importFrom(file), tr("Imported %1").arg(QFileInfo(file).fileName()));
}

void SettingsDesk::exportPreset() {
    const PresetInfo* chosen = parts_.request.presets().chosen();
    if (!chosen) return tell(tr("No preset is chosen."), {});
    const QString file = parts_.desktop.askSaveName(
        tr("Export the preset"), QDir::home().filePath(QString::fromStdString(chosen->name) + kEnding),
        tr("Presets (*.json)"));
    if (!file.isEmpty())
        tell(parts_.request.presets().exportTo(file), tr("Exported %1").arg(QFileInfo(file).fileName()));
}

void SettingsDesk::tell(const QString& problem, const QString& done) {
    if (problem.isEmpty()) return parts_.notices.say({NoticeTopic::file, Severity::ok, done, {}, {}, {}});
    parts_.notices.say({NoticeTopic::file, Severity::error, tr("The preset could not be used:"), problem, {}, {}});
}

}  // namespace kinescope::ui
