#include "ui/panels/prompt_edit.h"

#include <QEvent>
#include <QSignalBlocker>
#include <QTextCursor>
#include <QTextDocument>
#include <algorithm>

namespace kinescope::ui {
namespace {

constexpr int kFrame = 28;  ///< px of padding and frame, above and below the text

/// Replaces the text of a document in one step that can be undone. Changes only the part that differs.
void replaceText(QTextDocument& document, const QString& before, const QString& after) {
    const auto most = std::min(before.size(), after.size());
    const auto start = std::mismatch(before.begin(), before.begin() + most, after.begin()).first - before.begin();
    auto same = most - start;  // equal characters at the end
    same = std::mismatch(before.rbegin(), before.rbegin() + same, after.rbegin()).first - before.rbegin();
    QTextCursor cursor(&document);
    cursor.setPosition(static_cast<int>(start));
    cursor.setPosition(static_cast<int>(before.size() - same), QTextCursor::KeepAnchor);
    cursor.insertText(after.mid(start, after.size() - start - same));
}

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
    const QString before = toPlainText();
    QString wanted = QString::fromStdString(text);
    if (before == wanted) return;
    wanted = QTextDocument(wanted).toPlainText();  // the edit returns other line ends and spaces
    if (before == wanted) return;
    const QSignalBlocker quiet(this);
    if (before.isEmpty() && !document()->isUndoAvailable()) return setPlainText(wanted);
    replaceText(*document(), before, wanted);
    moveCursor(QTextCursor::Start);
}

}  // namespace kinescope::ui
