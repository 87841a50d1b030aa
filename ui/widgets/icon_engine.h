#pragma once

#include <QIconEngine>
#include <QPointer>

#include "ui/widgets/tokens.h"

namespace kinescope::ui {

class Theme;

/// An icon engine that looks up the color each time it paints, so that icons follow theme changes.
class IconEngine : public QIconEngine {
public:
    IconEngine(const Theme* theme, QString name, ColorRole role, ColorRole checked);

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override;
    QIconEngine* clone() const override;

private:
    QColor colorFor(QIcon::Mode mode, QIcon::State state) const;

    QPointer<const Theme> theme_;
    QString name_;
    ColorRole role_;
    ColorRole checked_;
};

}  // namespace kinescope::ui
