#pragma once

#include "ui/widgets/painted_widget.h"

namespace kinescope::ui {

/// A dashed frame over a page that says what a drop will do, before it is done. It covers its parent and takes no
/// events, so that the parent still gets the drop.
class DropHint : public PaintedWidget {
    Q_OBJECT

public:
    DropHint(const Theme& theme, QWidget* parent);

    enum class Answer { accepted, refused };
    /// "Becomes the start image", or why not.
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
