#pragma once

#include <QAbstractButton>
#include <QImage>

class QMimeData;
class QPainter;

namespace kinescope::ui {

class Theme;

/// A tile for an image or video file. A click opens a file dialog, drop or Ctrl+V adds a file or, if the tile takes
/// pictures, a picture without a file. Delete removes the file. The thumbnail of an image is read on a background
/// thread; other files show their name until setThumbnail() is called. A thumbnail fills the tile, unless the video
/// will show only a part of the picture, see setCropSize(): then the tile shows all of it, with a frame around this
/// part.
class ImageTile : public QAbstractButton {
    Q_OBJECT

public:
    ImageTile(const Theme& theme, const QString& emptyText, QWidget* parent = nullptr);
    /// Sets the text of the empty tile.
    void setHint(const QString& emptyText);
    /// Sets the icon of a tile without a thumbnail. Default: "image".
    void setPlaceholder(const QString& icon);

    /// Sets the image file. An empty `file` removes the image.
    void setFile(const QString& file);
    const QString& file() const { return file_; }
    /// Shows the first frame of a video, which the tile does not read itself. Has no effect if the tile has another
    /// file.
    void setThumbnail(const QString& file, const QImage& frame);
    /// Sets the size of the video to whose shape the picture is cropped in its middle. Empty: the picture is not
    /// cropped.
    void setCropSize(const QSize& video);
    bool hasThumbnail() const { return !thumbnail_.isNull(); }
    /// Sets whether the tile takes pictures that have no file, see pictureGiven(). Default: false.
    void setTakesPictures(bool takes) { takesPictures_ = takes; }
    /// Shows a sentence below the tile for some seconds.
    void tell(const QString& sentence);

    QSize sizeHint() const override { return {96, 96}; }

Q_SIGNALS:
    /// Emitted when a file was dropped or pasted. The owner calls setFile() if it accepts the file.
    void fileGiven(const QString& file);
    /// Emitted when a picture without a file was dropped or pasted.
    void pictureGiven(const QImage& picture);
    void removeRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private Q_SLOTS:
    /// A slot, because the Edit menu calls it by its name.
    void paste();

private:
    void readThumbnail();
    void paintThumbnail(QPainter& painter, const QRectF& frame) const;
    QImage pictureOf(const QMimeData* given) const;

    const Theme& theme_;
    QString emptyText_;
    QString placeholder_ = QStringLiteral("image");
    QString file_;
    QImage thumbnail_;
    QSize cropSize_;
    bool dropping_ = false;
    bool takesPictures_ = false;
};

}  // namespace kinescope::ui
