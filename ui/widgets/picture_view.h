#pragma once

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QSize>

class QPainter;

namespace kinescope::ui {

/// The zoom and pan state of an image in a viewport. Paints the image. Sizes are in logical pixels.
class PictureView {
public:
    enum class Zoom { fit, full, pixels };

    /// Resets magnification and pan.
    void setZoom(Zoom zoom);
    Zoom zoom() const { return zoom_; }
    /// Sets the size of the finished video. It is the reference for 100 % zoom, even while a smaller preview is shown.
    void setFinalSize(const QSize& size);
    /// Zooms by wheel steps; negative values zoom out.
    void magnify(double turns);

    void beginMove() { pan_at_begin_ = pan_; }
    /// Pans by `by` relative to beginMove(). Returns false if the whole image is visible.
    bool move(const QPointF& by, const QImage& picture, const QSizeF& room);

    QRectF targetOf(const QImage& picture, const QSizeF& room) const;
    void paint(QPainter& painter, const QImage& picture, const QSizeF& room, double pixel_ratio);
    /// Deletes the cached scaled image. Must be called when the viewport or the clip changes.
    void forgetScaled() { scaled_key_ = 0; }

private:
    QSizeF shownSize(const QImage& picture, const QSizeF& room) const;

    QSize final_size_;
    Zoom zoom_ = Zoom::fit;
    double magnification_ = 1;
    QPointF pan_;
    QPointF pan_at_begin_;
    qint64 scaled_key_ = 0;  ///< cache key of the source of scaled_
    QImage scaled_;
};

}  // namespace kinescope::ui
