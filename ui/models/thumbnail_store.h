#pragma once

#include <QCache>
#include <QDir>
#include <QImage>
#include <QObject>
#include <QThreadPool>

#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

/// The box that holds every thumbnail of the window, in logical pixels: as wide as the tiles of Explore, and high
/// enough for upright pictures that fill a tile of the queue.
inline constexpr QSize kLargestThumbnail(208, 150);

/// Provides thumbnails of videos from memory, a cache folder or the video file. Serves the newest requests first and
/// drops the oldest.
class ThumbnailStore : public QObject {
    Q_OBJECT

public:
    /// `folder` is the cache, with one image strip per video. It is created when needed.
    ThumbnailStore(EngineBridge& bridge, const QDir& folder, QObject* parent = nullptr);
    ~ThumbnailStore() override;

    /// Returns the frames of a thumbnail, or an empty list until ready() is emitted for this file. They fit into
    /// kLargestThumbnail times the pixel ratio of the sharpest screen. `made` is part of the cache key, so that an
    /// overwritten video is read again.
    QList<QImage> frames(const QString& file, const QDateTime& made);

Q_SIGNALS:
    void ready(const QString& file);

private:
    struct Request {
        QString file;
        QString strip;
    };

    void next();
    void readStrip(const Request& request);
    bool isCurrent(const std::filesystem::path& video, const FrameSelection& selection) const;
    void onFramesLost(const std::filesystem::path& video, const FrameSelection& selection);
    void onFramesRead(const std::filesystem::path& video, const FrameSelection& selection,
                      const std::vector<FramePtr>& frames);
    void storeLater(const Request& request, const QList<QImage>& frames);
    void store(const Request& request, const QList<QImage>& frames);

    EngineBridge& bridge_;
    QDir folder_;
    const QSize box_;                        ///< of the frames, px
    QCache<QString, QList<QImage>> memory_;  ///< cost in KiB
    QList<Request> requests_;                ///< latest last
    std::optional<Request> current_;
    QThreadPool pool_;
};

/// Deletes the image strips of a cache folder that were written first, until the others have at most `most` bytes.
void limitStrips(const QDir& folder, qint64 most);

}  // namespace kinescope::ui
