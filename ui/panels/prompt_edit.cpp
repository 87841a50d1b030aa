#include "ui/panels/prompt_edit.h"

#include <QEvent>
#include <QSignalBlocker>

namespace kinescope::ui {
namespace {

constexpr int kFrame = 28;  ///< px of padding and frame, above and below the text

}  // namespace

PromptEdit::PromptEdit(const char* name, int lines, QWidget* parent) : QPlainTextEdit(parent), lines_(lines) {
    setObjectName(QLatin1String(name));
    setTabChangesFocus(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fit();
}

void PromptEdit::fit() {
    setFixedHeight(lines_ * fontMetrics().lineSpacing() + kFrame);
}

void PromptEdit::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
}

void PromptEdit::setTextQuietly(const std::string& text) {
    const QString wanted = QString::fromStdString(text);
    if (toPlainText() == wanted) return;
    const QSignalBlocker quiet(this);
    setPlainText(wanted);
}

}  // namespace kinescope::ui
