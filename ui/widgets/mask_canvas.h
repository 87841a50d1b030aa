#pragma once

#include <QImage>
#include <QList>

#include "ui/widgets/painted_widget.h"

namespace kinescope::ui {

enum class MaskTool { paint, erase };

/// Paints a straight stroke with a round brush of `radius` px into a mask of Format_Grayscale8.
void paintStroke(QImage& mask, const QPointF& from, const QPointF& to, double radius, MaskTool tool);

/// Returns true if no pixel of the mask is white.
bool isEmptyMask(const QImage& mask);

/// A picture with a mask over it, which the user paints with a round brush. Mouse: the left button uses the tool, the
/// right one the other tool, the wheel changes the brush. Keys: arrows move the brush, Space paints, Shift+arrows
/// paints a line, [ and ] change the brush, X changes the tool, I inverts, Delete clears, Ctrl+Z and Ctrl+Shift+Z undo
/// and redo.
class MaskCanvas : public PaintedWidget {
    Q_OBJECT

public:
    explicit MaskCanvas(const Theme& theme, QWidget* parent = nullptr);

    /// Shows a picture. Its first size sets that of the mask.
    void setPicture(const QImage& picture);
    /// Replaces the mask, scaled to the picture and split at half gray like in the engine, without an undo step.
    void setMask(const QImage& mask);
    /// Returns the mask, white where something is painted; null before the first picture.
    const QImage& mask() const { return mask_; }

    void setTool(MaskTool tool);
    MaskTool tool() const { return tool_; }
    /// Sets the diameter of the brush in px of the picture.
    void setBrushSize(int size);
    int brushSize() const { return brush_; }

    void clear();
    void invert();
    void undo();
    void redo();
    /// No step is undone in the middle of a stroke.
    bool canUndo() const { return !done_.isEmpty() && !isPainting_; }
    bool canRedo() const { return !undone_.isEmpty() && !isPainting_; }

    static constexpr int kSmallestBrush = 2;
    static constexpr int kLargestBrush = 400;

    QSize sizeHint() const override { return {720, 420}; }
    QSize minimumSizeHint() const override { return {240, 140}; }

Q_SIGNALS:
    /// Emitted when the mask has changed, and whether undo() and redo() are possible.
    void maskChanged();
    void toolChanged();
    void brushSizeChanged(int size);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF target() const;
    QPointF toPicture(const QPointF& point) const;
    void beginChange();
    void stroke(const QPointF& from, const QPointF& to, MaskTool tool);
    void finishChange();
    void moveBrush(const QPoint& by, Qt::KeyboardModifiers modifiers);
    bool handleKey(int key);
    void updateOverlay();

    QImage picture_;
    QImage mask_;
    QImage overlay_;  ///< the mask as a tint; null: out of date
    QList<QImage> done_;
    QList<QImage> undone_;
    MaskTool tool_ = MaskTool::paint;
    MaskTool strokeTool_ = MaskTool::paint;
    int brush_ = 40;
    QPointF at_;            ///< position of the brush in the picture
    bool isShown_ = false;  ///< the outline of the brush is visible
    bool isPainting_ = false;
    int turn_ = 0;  ///< of the wheel since its last step, in eighths of a degree
};

}  // namespace kinescope::ui
