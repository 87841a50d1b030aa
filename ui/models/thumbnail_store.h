#pragma once

#include <QCache>
#include <QDir>
#include <QImage>
#include <QObject>
#include <QThreadPool>

#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

/// Some small pictures of each video: from memory, from a folder on disk, or read from the video. What was asked for
/// last comes first; what was asked for long ago and is not shown any more is forgotten.
class ThumbnailStore : public QObject {
    Q_OBJECT

public:
    /// `folder` keeps one strip for each video; made when it is needed.
    ThumbnailStore(EngineBridge& bridge, const QDir& folder, QObject* parent = nullptr);
    ~ThumbnailStore() override;

    /// Empty until ready() tells of that file. `made` belongs to it: a file that was written again is read again.
    QList<QImage> frames(const QString& file, const QDateTime& made);

Q_SIGNALS:
    void ready(const QString& file);

private:
    struct Wish {
        QString file;
        QString strip;
    };

    void next();
    void readStrip(const Wish& wish);
    void take(const std::filesystem::path& video, const FrameSelection& selection, const std::vector<FramePtr>& frames);
    void keep(const QList<QImage>& frames);

    EngineBridge& bridge_;
    QDir folder_;
    QCache<QString, QList<QImage>> memory_;  ///< cost: KiB
    QList<Wish> wishes_;                     ///< the newest last
    std::optional<Wish> current_;
    QThreadPool pool_;
};

}  // namespace kinescope::ui
