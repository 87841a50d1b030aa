#include "ui/widgets/icons.h"

#include <QDir>
#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <algorithm>
#include <cmath>

namespace kinescope::ui {

namespace {

QByteArray colored(const QString& name, const QColor& color) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QByteArray svg = file.readAll();
    svg.replace("stroke=\"#000\"", "stroke=\"" + color.name().toLatin1() + "\"");
    if (name == QStringLiteral("play") || name == QStringLiteral("stop")) {
        svg.replace("fill=\"none\"", "fill=\"" + color.name().toLatin1() + "\"");
    }
    return svg;
}

}  // namespace

QStringList iconNames() {
    QStringList names = QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name);
    for (QString& name : names) name.chop(4);
    return names;
}

QPixmap renderIcon(const QString& name, const QColor& color, int size_px, double device_pixel_ratio) {
    const QString key = QStringLiteral("kinescope/%1/%2/%3/%4")
                            .arg(name, color.name(QColor::HexArgb))
                            .arg(size_px)
                            .arg(device_pixel_ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    const int pixels = static_cast<int>(std::ceil(size_px * device_pixel_ratio));
    pixmap = QPixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(colored(name, color));
    QPainter painter(&pixmap);
    painter.setOpacity(color.alphaF());
    renderer.render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(device_pixel_ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

void paintIcon(QPainter& painter, const QString& name, const QColor& color, const QRectF& where) {
    // Use the painter's scale, because a widget can be painted into an image with another pixel ratio.
    const double density = std::max(1.0, painter.deviceTransform().m11());
    const QPixmap pixmap = renderIcon(name, color, qRound(where.width()), density);
    painter.drawPixmap(where.topLeft(), pixmap);
}

}  // namespace kinescope::ui
