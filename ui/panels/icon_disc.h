#pragma once

#include <QWidget>

#include "ui/widgets/theme.h"

namespace kinescope::ui {

/// An icon on a disc in a lighter shade of its color.
class IconDisc : public QWidget {
    Q_OBJECT

public:
    IconDisc(const Theme& theme, const QString& icon, ColorRole role, QWidget* parent = nullptr);

    void setDiameter(int px);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& theme_;
    QString icon_;
    ColorRole role_;
};

}  // namespace kinescope::ui
