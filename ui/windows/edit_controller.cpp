#include "ui/windows/edit_controller.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMetaMethod>
#include <QPlainTextEdit>
#include <QTextEdit>

#include "ui/windows/main_menu.h"

namespace kinescope::ui {
namespace {

/// Returns the line edit of an editable combo box or spin box, otherwise the widget itself.
QWidget* editorIn(QWidget* field) {
    const bool isCompound = qobject_cast<QAbstractSpinBox*>(field) || qobject_cast<QComboBox*>(field);
    auto* line = isCompound ? field->findChild<QLineEdit*>() : nullptr;
    return line ? line : field;
}

/// The changes that an editor can undo and redo.
struct Changes {
    bool undo = false;
    bool redo = false;
};

QTextDocument* documentOf(const QWidget* editor) {
    if (auto* plain = qobject_cast<const QPlainTextEdit*>(editor)) return plain->document();
    if (auto* rich = qobject_cast<const QTextEdit*>(editor)) return rich->document();
    return nullptr;
}

Changes changesOf(const QWidget* editor) {
    if (auto* line = qobject_cast<const QLineEdit*>(editor)) return {line->isUndoAvailable(), line->isRedoAvailable()};
    const QTextDocument* document = documentOf(editor);
    return document ? Changes{document->isUndoAvailable(), document->isRedoAvailable()} : Changes{};
}

bool isReadOnly(const QWidget& editor) {
    return editor.property("readOnly").toBool();
}

void copyText(QWidget& widget) {
    QString text;
    if (auto* label = qobject_cast<QLabel*>(&widget)) text = label->selectedText();
    if (auto* view = qobject_cast<QAbstractItemView*>(&widget))
        text = view->currentIndex().data(Qt::DisplayRole).toString();
    if (!text.isEmpty()) QApplication::clipboard()->setText(text);
}

/// Invokes a slot by name, because line edits and text edits have these slots but no common base class. Sending the key
/// to the widget would trigger the menu's shortcut again.
void call(const char* slot) {
    if (!QApplication::focusWidget()) return;
    QWidget* editor = editorIn(QApplication::focusWidget());
    const bool onlyReads = qstrcmp(slot, "copy") == 0 || qstrcmp(slot, "selectAll") == 0;
    if (isReadOnly(*editor) && !onlyReads) return;
    const QByteArray signature = QByteArray(slot) + "()";
    const int index = editor->metaObject()->indexOfSlot(signature.constData());
    if (index >= 0) return void(editor->metaObject()->method(index).invoke(editor));
    if (qstrcmp(slot, "copy") == 0) copyText(*editor);
}

}  // namespace

EditController::EditController(const MainMenu& menu, QObject* parent) : QObject(parent), menu_(menu) {
    const std::pair<QAction*, const char*> entries[] = {{menu.undo, "undo"},   {menu.redo, "redo"},
                                                        {menu.cut, "cut"},     {menu.copy, "copy"},
                                                        {menu.paste, "paste"}, {menu.selectAll, "selectAll"}};
    for (const auto& [action, slot] : entries)
        connect(action, &QAction::triggered, this, [slot = slot] { call(slot); });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* focus) { follow(focus); });
    follow(QApplication::focusWidget());
}

void EditController::follow(QWidget* focus) {
    if (qobject_cast<QMenuBar*>(focus)) return;  // the menu acts on the field that had the focus before
    if (editor_) disconnect(editor_, nullptr, this, nullptr);
    if (const QTextDocument* document = documentOf(editor_)) disconnect(document, nullptr, this, nullptr);
    editor_ = focus ? editorIn(focus) : nullptr;
    if (auto* line = qobject_cast<QLineEdit*>(editor_.data()))
        connect(line, &QLineEdit::textChanged, this, [this] { updateUndo(); });
    if (const QTextDocument* document = documentOf(editor_)) {
        connect(document, &QTextDocument::undoAvailable, this, &EditController::updateUndo);
        connect(document, &QTextDocument::redoAvailable, this, &EditController::updateUndo);
    }
    updateUndo();
}

void EditController::updateUndo() {
    const Changes changes = editor_ && !isReadOnly(*editor_) ? changesOf(editor_) : Changes{};
    menu_.undo->setEnabled(changes.undo);
    menu_.redo->setEnabled(changes.redo);
}

}  // namespace kinescope::ui
