#include "ui/windows/settings_controller.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

#include "ui/models/in_pool.h"
#include "ui/models/request_model.h"
#include "ui/models/save_file.h"
#include "ui/text/words.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"
#include "ui/windows/main_menu.h"
#include "ui/windows/notice_board.h"
#include "ui/windows/preferences_dialog.h"

namespace kinescope::ui {
namespace {

const QString kEnding = QStringLiteral(".kinescope.json");

}  // namespace

SettingsController::SettingsController(QWidget& window, Preferences preferences, const Parts& parts)
    : QObject(&window), window_(window), preferences_(preferences), parts_(parts) {
    connect(parts_.menu.preferences, &QAction::triggered, this, &SettingsController::openPreferences);
    connect(parts_.menu.savePreset, &QAction::triggered, this, &SettingsController::savePreset);
    connect(parts_.menu.savePresetAs, &QAction::triggered, this, &SettingsController::savePresetAs);
    connect(parts_.menu.importPreset, &QAction::triggered, this, qOverload<>(&SettingsController::importPreset));
    connect(parts_.menu.exportPreset, &QAction::triggered, this, &SettingsController::exportPreset);
}

void SettingsController::openPreferences() {
    if (!dialog_) {
        dialog_ = new PreferencesDialog({parts_.theme, preferences_, parts_.bridge, parts_.desktop}, &window_);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog_, &PreferencesDialog::changed, this, &SettingsController::apply);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

void SettingsController::apply() {
    chooseLanguage(preferences_.language());
    parts_.theme.setTextScalePercent(preferences_.textPercent());
    parts_.request.setRules(preferences_.rules());
    Q_EMIT applied();
}

void SettingsController::savePreset() {
    const PresetInfo* chosen = parts_.request.presets().chosen();
    if (!chosen || !chosen->own) return savePresetAs();
    const QString name = QString::fromStdString(chosen->name);
    parts_.request.presets().save(name, ExistingPreset::replace, shown(tr("Saved as “%1”").arg(name)));
}

void SettingsController::savePresetAs() {
    const QString name = parts_.desktop.askName(tr("Preset name"), tr("My settings")).simplified();
    const auto save = [this, name](ExistingPreset existing, const PresetModel::Saved& saved) {
        parts_.request.presets().save(name, existing, saved);
    };
    if (!name.isEmpty()) saveOrAsk(save, tr("Saved as “%1”").arg(name));
}

void SettingsController::importPreset() {
    const QString file = parts_.desktop.askFile(tr("Import Preset"), QDir::homePath(), tr("Presets (*.json)"));
    if (!file.isEmpty()) importPreset(file);
}

void SettingsController::importPreset(const QString& file) {
    inPool(
        this, [file] { return PresetModel::read(file); },
        [this](const PresetFile& read) {
            saveOrAsk(
                [this, read](ExistingPreset existing, const PresetModel::Saved& saved) {
                    parts_.request.presets().importFrom(read, existing, saved);
                },
                tr("Imported %1").arg(QFileInfo(read.path).fileName()));
        });
}

void SettingsController::saveOrAsk(const SavePreset& save, const QString& done) {
    save(ExistingPreset::keep, [this, save, done](const SavedPreset& saved) {
        if (!saved.isTaken) return showResult(saved.fault, done);
        parts_.notices.show({NoticeTopic::file,
                             Severity::warning,
                             tr("You already have a preset “%1”.").arg(saved.name),
                             tr("Its settings are kept."),
                             tr("Replace"),
                             [this, save, done] { save(ExistingPreset::replace, shown(done)); },
                             {}});
    });
}

PresetModel::Saved SettingsController::shown(const QString& done) {
    return [this, done](const SavedPreset& saved) { showResult(saved.fault, done); };
}

void SettingsController::exportPreset() {
    const PresetInfo* chosen = parts_.request.presets().chosen();
    if (!chosen) return showResult(tr("No preset is selected."), {});
    const QString from = pathText(chosen->file);  // the presets may change while the dialog is open
    const QString file = parts_.desktop.askSaveName(
        tr("Export Preset"), QDir::home().filePath(QString::fromStdString(chosen->name) + kEnding),
        tr("Presets (*.json)"));
    if (file.isEmpty()) return;
    inPool(
        this, [from, file] { return copyFile(from, file); },
        [this, file](const QString& fault) { showResult(fault, tr("Exported %1").arg(QFileInfo(file).fileName())); });
}

void SettingsController::deletePreset() {
    PresetModel& presets = parts_.request.presets();
    const PresetInfo* chosen = presets.chosen();
    if (!chosen) return;
    presets.remove(QString::fromStdString(chosen->name),
                   [this](const DeletedPreset& deleted) { showDeleted(deleted); });
}

void SettingsController::showDeleted(const DeletedPreset& deleted) {
    if (!deleted.fault.isEmpty())
        return parts_.notices.show(
            {NoticeTopic::file, Severity::error, tr("Can't delete the preset:"), deleted.fault, {}, {}, {}});
    const auto undo = [this, deleted] {
        parts_.request.presets().restore(deleted, [this, name = deleted.name](const QString& fault) {
            showResult(fault, tr("Restored “%1”").arg(name));
        });
    };
    parts_.notices.show(
        {NoticeTopic::file, Severity::info, tr("Deleted “%1”.").arg(deleted.name), {}, tr("Undo"), undo, {}});
}

void SettingsController::showResult(const QString& problem, const QString& done) {
    if (problem.isEmpty()) return parts_.notices.show({NoticeTopic::file, Severity::ok, done, {}, {}, {}});
    parts_.notices.show({NoticeTopic::file, Severity::error, tr("Can't use the preset:"), problem, {}, {}});
}

}  // namespace kinescope::ui
