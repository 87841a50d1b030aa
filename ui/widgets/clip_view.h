#pragma once

#include <QImage>
#include <QList>

#include "ui/widgets/painted_widget.h"

namespace kinescope::ui {

/// Shows one frame of a clip, fitted into a dark area, or a message if there is no clip.
class ClipView : public PaintedWidget {
    Q_OBJECT

public:
    explicit ClipView(const Theme& theme, QWidget* parent = nullptr);

    void setClip(const QList<QImage>& frames);
    /// Shows a message instead of the frames. ColorRole::text2 is neutral.
    void setMessage(const QString& text, ColorRole role = ColorRole::text2);
    int numFrames() const { return static_cast<int>(frames_.size()); }
    /// Shows a frame; an index beyond the end wraps around.
    void setFrame(int frame);

    QSize sizeHint() const override { return {288, 192}; }
    QSize minimumSizeHint() const override { return {144, 96}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<QImage> frames_;
    int frame_ = 0;
    QString message_;
    ColorRole message_role_ = ColorRole::text2;
};

}  // namespace kinescope::ui
