#pragma once

#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// The folders that are scanned for models: "model_folders" in the engine's settings.json. Preserves all other content
/// of the file.
class ModelFolderList {
public:
    explicit ModelFolderList(QString settingsFile = defaultSettingsFile());

    /// Returns the settings file of the engine: user_dirs().config / "settings.json".
    static QString defaultSettingsFile();

    /// Returns the folders as written in the file, including those of disconnected drives.
    QStringList folders() const;
    /// Adds a folder. Returns an error message, or an empty string on success.
    QString add(const QString& folder);
    QString remove(const QString& folder);

    /// Returns existing model folders of other programs that are not in the list.
    QStringList suggestions() const;

private:
    QString write(const QStringList& folders) const;

    QString file_;
};

/// Returns the default download folder, below the user's data folder.
QString defaultDownloadFolder();

}  // namespace kinescope::ui
