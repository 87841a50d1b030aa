#pragma once

#include "ui/widgets/painted_widget.h"

namespace kinescope::ui {

/// A small rounded label, e.g. "Latent preview 90 × 60, final 720 × 480". Hidden while its text is empty.
class Chip : public PaintedWidget {
    Q_OBJECT

public:
    explicit Chip(const Theme& theme, QWidget* parent = nullptr);

    /// `icon` may be empty. ColorRole::text2 gives a neutral background, other roles a tinted one.
    void setChip(const QString& text, ColorRole role = ColorRole::text2, const QString& icon = {});
    QString text() const { return text_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {48, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString text_;
    QString icon_;
    ColorRole role_ = ColorRole::text2;
};

}  // namespace kinescope::ui
