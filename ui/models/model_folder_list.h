#pragma once

#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <functional>
#include <optional>

namespace kinescope::ui {

/// The folders that are scanned for models: "model_folders" in the engine's settings.json. Preserves all other content
/// of the file. A background thread reads and writes the file, because its folder may not respond.
class ModelFolderList : public QObject {
    Q_OBJECT

public:
    /// Receives an error message, or an empty string on success.
    using Done = std::function<void(const QString& fault)>;

    explicit ModelFolderList(QString settingsFile = defaultSettingsFile(), QObject* parent = nullptr);

    /// Returns the settings file of the engine: user_dirs().config / "settings.json".
    static QString defaultSettingsFile();

    /// Returns the folders as written in the file when it was last read, including those of disconnected drives.
    const QStringList& folders() const { return listed_.folders; }
    /// Returns existing model folders of other programs that are not in the list.
    const QStringList& suggestions() const { return listed_.suggestions; }

    /// Reads the file again.
    void read();
    void add(const QString& folder, const Done& done);
    /// Adds the folder of a model, unless a folder of the list contains it or it is not a folder. Calls `done` only if
    /// it was added or could not be added.
    void addOpened(const QString& model, const Done& done);
    void remove(const QString& folder, const Done& done);

    /// The same on the calling thread. The functions that change the file return an error message, or an empty string
    /// on success.
    static QStringList foldersIn(const QString& settingsFile);
    static QString addTo(const QString& settingsFile, const QString& folder);
    static QString removeFrom(const QString& settingsFile, const QString& folder);

Q_SIGNALS:
    /// The folders or the suggestions have changed.
    void changed();

private:
    struct Listed {
        QStringList folders;
        QStringList suggestions;
        bool operator==(const Listed&) const = default;
    };

    static Listed listedIn(const QString& settingsFile);
    void set(const Listed& listed);
    /// Returns an error message or an empty string on success, or nothing if there is nothing to change.
    using Change = std::function<std::optional<QString>(const QString& settingsFile)>;
    /// Changes the file on the background thread. Calls `done` unless there is nothing to change.
    void edit(const Change& change, const Done& done);

    QString file_;
    Listed listed_;
    QThreadPool pool_;  ///< of one thread, so that changes follow one another
};

/// Returns the default download folder, below the user's data folder.
QString defaultDownloadFolder();

}  // namespace kinescope::ui
