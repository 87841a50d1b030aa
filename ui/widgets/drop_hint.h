#pragma once

#include "ui/widgets/painted_widget.h"

namespace kinescope::ui {

/// An overlay with a dashed frame that announces the effect of a drop. Covers its parent and ignores mouse events, so
/// that the parent receives the drop.
class DropHint : public PaintedWidget {
    Q_OBJECT

public:
    DropHint(const Theme& theme, QWidget* parent);

    enum class Answer { accepted, refused };
    /// Shows the hint. `text` is the effect of the drop, or the reason why it is refused.
    void showHint(Answer answer, const QString& text);
    QString text() const { return text_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Answer answer_ = Answer::accepted;
    QString text_;
};

}  // namespace kinescope::ui
