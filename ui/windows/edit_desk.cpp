#include "ui/windows/edit_desk.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QWidget>

#include "ui/windows/main_menu.h"

namespace kinescope::ui {
namespace {

/// Past the menus: the key is theirs, too.
void press(const QKeySequence& key) {
    QWidget* field = QApplication::focusWidget();
    if (!field || key.isEmpty()) return;
    QKeyEvent event(QEvent::KeyPress, key[0].key(), key[0].keyboardModifiers());
    QApplication::sendEvent(field, &event);
}

}  // namespace

EditDesk::EditDesk(const MainMenu& menu, QObject* parent) : QObject(parent) {
    for (QAction* action : {menu.undo, menu.redo, menu.cut, menu.copy, menu.paste, menu.selectAll})
        connect(action, &QAction::triggered, this, [action] { press(action->shortcut()); });
}

}  // namespace kinescope::ui
