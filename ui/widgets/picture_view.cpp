#include "ui/widgets/picture_view.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace kinescope::ui {

void PictureView::setZoom(Zoom zoom) {
    zoom_ = zoom;
    magnification_ = 1;
    pan_ = {};
    forgetScaled();
}

void PictureView::setFinalSize(const QSize& size) {
    final_size_ = size;
    forgetScaled();
}

void PictureView::magnify(double turns) {
    magnification_ = std::clamp(magnification_ * std::pow(1.25, turns), 0.25, 16.0);
    forgetScaled();
}

bool PictureView::move(const QPointF& by, const QImage& picture, const QSizeF& room) {
    const QSizeF shown = shownSize(picture, room);
    const QPointF spare((shown.width() - room.width()) / 2, (shown.height() - room.height()) / 2);
    if (spare.x() <= 0 && spare.y() <= 0) return false;
    const auto limit = [](double value, double most) {
        return std::clamp(value, -std::max(most, 0.0), std::max(most, 0.0));
    };
    const QPointF wanted = pan_at_begin_ + by;
    pan_ = {limit(wanted.x(), spare.x()), limit(wanted.y(), spare.y())};
    return true;
}

QSizeF PictureView::shownSize(const QImage& picture, const QSizeF& room) const {
    const QSizeF own = final_size_.isEmpty() ? QSizeF(picture.size()) : QSizeF(final_size_);
    switch (zoom_) {
        case Zoom::fit:
            return own.scaled(room, Qt::KeepAspectRatio) * magnification_;
        case Zoom::full:
            return own * magnification_;
        case Zoom::pixels:
            break;
    }
    const double factor = std::floor(std::min(room.width() / picture.width(), room.height() / picture.height()));
    return QSizeF(picture.size()) * std::max(factor, 1.0) * magnification_;
}

QRectF PictureView::targetOf(const QImage& picture, const QSizeF& room) const {
    const QSizeF shown = shownSize(picture, room);
    const QPointF corner((room.width() - shown.width()) / 2 + pan_.x(),
                         (room.height() - shown.height()) / 2 + pan_.y());
    return {QPointF(std::round(corner.x()), std::round(corner.y())), shown};
}

void PictureView::paint(QPainter& painter, const QImage& picture, const QSizeF& room, double pixel_ratio) {
    const QRectF target = targetOf(picture, room);
    const QSize pixels = (target.size() * pixel_ratio).toSize();
    const bool shrinks = pixels.width() < picture.width();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, zoom_ != Zoom::pixels);
    if (!shrinks || zoom_ == Zoom::pixels) {
        painter.drawImage(target, picture);
        return;
    }
    // Scale the image once with filtering and cache it, because QPainter causes aliasing when it shrinks an image.
    if (scaled_key_ != picture.cacheKey()) {
        scaled_ = picture.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        scaled_key_ = picture.cacheKey();
    }
    painter.drawImage(target, scaled_);
}

}  // namespace kinescope::ui
