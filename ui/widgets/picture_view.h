#pragma once

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QSize>

class QPainter;

namespace kinescope::ui {

/// How a picture lies in the room that it is given: fitted, at its own size or in whole pixels; magnified and moved by
/// hand. Sizes are in logical pixels.
class PictureView {
public:
    enum class Zoom { fit, full, pixels };

    /// Begins anew: neither magnified nor moved.
    void setZoom(Zoom zoom);
    Zoom zoom() const { return zoom_; }
    /// Size of the finished video: 100 % is measured by it, whatever the picture's own size.
    void setFinalSize(const QSize& size);
    /// By turns of a wheel; below 0: smaller.
    void magnify(double turns);

    void beginMove() { pan_at_begin_ = pan_; }
    /// Moves by so much since beginMove. False: the whole picture is to be seen, there is nothing to move.
    bool move(const QPointF& by, const QImage& picture, const QSizeF& room);

    QRectF targetOf(const QImage& picture, const QSizeF& room) const;
    void paint(QPainter& painter, const QImage& picture, const QSizeF& room, double pixel_ratio);
    /// What was scaled for painting does not fit any more: the room or the clip is another one.
    void forgetScaled() { scaled_key_ = 0; }

private:
    QSizeF shownSize(const QImage& picture, const QSizeF& room) const;

    QSize final_size_;
    Zoom zoom_ = Zoom::fit;
    double magnification_ = 1;
    QPointF pan_;
    QPointF pan_at_begin_;
    qint64 scaled_key_ = 0;  ///< of the picture that scaled_ was made of
    QImage scaled_;
};

}  // namespace kinescope::ui
