#include "ui/widgets/text_view.h"

#include <QAbstractTextDocumentLayout>
#include <QResizeEvent>
#include <algorithm>
#include <cmath>

namespace kinescope::ui {

TextView::TextView(QWidget* parent) : QTextEdit(parent) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    setProperty("role", "text");
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    document()->setDocumentMargin(0);
    // The font can change, too.
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            [this] { fitHeight(); });
    hide();
}

void TextView::showText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    setPlainText(text);
    setVisible(!text.isEmpty());
    fitHeight();
}

void TextView::resizeEvent(QResizeEvent* event) {
    QTextEdit::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) fitHeight();
}

void TextView::fitHeight() {
    const int others = std::max(0, height() - viewport()->height());  // the viewport of a hidden view can be larger
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())) + others);
}

}  // namespace kinescope::ui
