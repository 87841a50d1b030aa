#pragma once

#include <QObject>
#include <QStringList>

class QMenu;

namespace kinescope::ui {

class HistoryModel;

/// The entries that the menus of the history and of the queue share, and the signals that they emit.
class VideoActions : public QObject {
    Q_OBJECT

public:
    explicit VideoActions(HistoryModel& history, QObject* parent = nullptr);

    /// Adds the entries that use the file of a video, which must exist. Only videos of the history can be played.
    void addFileEntries(QMenu* menu, const QString& file);
    /// Adds the mark of a favorite. Does nothing for a video that is not in the history.
    void addFavorite(QMenu* menu, const QString& file);
    /// `files`: the two videos to compare, or one, for which the user chooses the other.
    void addCompare(QMenu* menu, const QStringList& files);
    /// Does nothing for a video that is not in the history.
    void addTrash(QMenu* menu, const QStringList& files);

Q_SIGNALS:
    void playRequested(const QString& file);
    /// A new video is to follow this one.
    void continueRequested(const QString& file);
    void exportRequested(const QString& file);
    void finishRequested(const QString& file);
    void showInFolderRequested(const QString& file);
    /// Emitted to compare two videos. `b` is empty if the user has to choose it.
    void compareRequested(const QString& a, const QString& b);
    void deleteRequested(const QStringList& files);

private:
    HistoryModel& history_;
};

}  // namespace kinescope::ui
