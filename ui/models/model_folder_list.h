#pragma once

#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// The folders in which models are looked for: "model_folders" of the settings.json that the engine reads. Everything
/// else in that file stays as it is.
class ModelFolderList {
public:
    explicit ModelFolderList(QString settingsFile = defaultSettingsFile());

    /// $XDG_CONFIG_HOME/kinescope/settings.json, else below ~/.config; on Windows below %APPDATA%. As the engine has
    /// it.
    static QString defaultSettingsFile();

    /// As written; a folder of a drive that is not connected is among them.
    QStringList folders() const;
    /// Empty: done; otherwise why not.
    QString add(const QString& folder);
    QString remove(const QString& folder);

    /// Folders that other programs use and that are there, without those of the list.
    QStringList suggestions() const;

private:
    QString write(const QStringList& folders) const;

    QString file_;
};

/// Where downloaded models go unless another folder is chosen: below the user's data.
QString defaultDownloadFolder();

}  // namespace kinescope::ui
