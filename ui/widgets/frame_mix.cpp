#include "ui/widgets/frame_mix.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace kinescope::ui {
namespace {

constexpr int kGap = 8;     ///< px between the images
constexpr int kFactor = 8;  ///< amplification of differences

QRgb differenceOf(QRgb a, QRgb b) {
    const auto far = [](int one, int other) { return std::min(255, kFactor * std::abs(one - other)); };
    return qRgb(far(qRed(a), qRed(b)), far(qGreen(a), qGreen(b)), far(qBlue(a), qBlue(b)));
}

QImage differences(const QImage& a, const QImage& b) {
    QImage result(a.size(), QImage::Format_RGB32);
    for (int y = 0; y < a.height(); ++y) {
        const auto* left = reinterpret_cast<const QRgb*>(a.constScanLine(y));
        const auto* right = reinterpret_cast<const QRgb*>(b.constScanLine(y));
        auto* line = reinterpret_cast<QRgb*>(result.scanLine(y));
        for (int x = 0; x < a.width(); ++x) line[x] = differenceOf(left[x], right[x]);
    }
    return result;
}

QImage sideBySide(const QImage& a, const QImage& b) {
    QImage result(a.width() + kGap + b.width(), a.height(), QImage::Format_RGB32);
    result.fill(Qt::black);
    QPainter painter(&result);
    painter.drawImage(0, 0, a);
    painter.drawImage(a.width() + kGap, 0, b);
    return result;
}

QImage wiped(const QImage& a, const QImage& b, double place) {
    QImage result = a;
    const int edge = static_cast<int>(std::lround(std::clamp(place, 0.0, 1.0) * a.width()));
    QPainter painter(&result);
    painter.drawImage(edge, 0, b, edge, 0);
    painter.fillRect(std::clamp(edge - 1, 0, std::max(0, a.width() - 2)), 0, 2, a.height(), Qt::white);
    return result;
}

QImage withHeight(const QImage& image, int height) {
    return image.height() == height ? image : image.scaledToHeight(height, Qt::SmoothTransformation);
}

QImage withSize(const QImage& image, const QSize& size) {
    return image.size() == size ? image : image.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

}  // namespace

QImage mixFrames(const QImage& a, const QImage& b, FrameMix mix, double place) {
    if (a.isNull() || b.isNull()) return a.isNull() ? b : a;
    const QImage left = a.convertToFormat(QImage::Format_RGB32);
    const QImage other = b.convertToFormat(QImage::Format_RGB32);
    if (mix == FrameMix::sideBySide) return sideBySide(left, withHeight(other, left.height()));
    const QImage right = withSize(other, left.size());
    switch (mix) {
        case FrameMix::wipe:
            return wiped(left, right, place);
        case FrameMix::difference:
            return differences(left, right);
        case FrameMix::blink:
            return place < 0.5 ? left : right;
        case FrameMix::sideBySide:
            break;
    }
    return sideBySide(left, right);
}

}  // namespace kinescope::ui
