#pragma once

#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// The folders that are scanned for models: "model_folders" in the engine's settings.json. Preserves all other content
/// of the file.
class ModelFolderList {
public:
    explicit ModelFolderList(QString settingsFile = defaultSettingsFile());

    /// The same file as the engine uses: user_dirs().config / "settings.json".
    static QString defaultSettingsFile();

    /// The folders as written, including those of disconnected drives.
    QStringList folders() const;
    /// Returns the error; empty on success.
    QString add(const QString& folder);
    QString remove(const QString& folder);

    /// Existing model folders of other programs that are not in the list.
    QStringList suggestions() const;

private:
    QString write(const QStringList& folders) const;

    QString file_;
};

/// The default download folder, below the user's data folder.
QString defaultDownloadFolder();

}  // namespace kinescope::ui
