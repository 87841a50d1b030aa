#include "ui/windows/edit_controller.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMetaMethod>

#include "ui/windows/main_menu.h"

namespace kinescope::ui {
namespace {

/// Returns the line edit of an editable combo box or spin box, otherwise the widget itself.
QWidget* editorIn(QWidget* field) {
    const bool isCompound = qobject_cast<QAbstractSpinBox*>(field) || qobject_cast<QComboBox*>(field);
    auto* line = isCompound ? field->findChild<QLineEdit*>() : nullptr;
    return line ? line : field;
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

EditController::EditController(const MainMenu& menu, QObject* parent) : QObject(parent) {
    const std::pair<QAction*, const char*> entries[] = {{menu.undo, "undo"},   {menu.redo, "redo"},
                                                        {menu.cut, "cut"},     {menu.copy, "copy"},
                                                        {menu.paste, "paste"}, {menu.selectAll, "selectAll"}};
    for (const auto& [action, slot] : entries)
        connect(action, &QAction::triggered, this, [slot = slot] { call(slot); });
}

}  // namespace kinescope::ui
