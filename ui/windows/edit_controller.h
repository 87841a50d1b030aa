#pragma once

#include <QObject>
#include <QPointer>

namespace kinescope::ui {

class MainMenu;

/// Applies the Edit menu to the focused widget. Does nothing if the widget does not support the action. Undo and Redo
/// are enabled while the widget has a change to undo or redo.
class EditController : public QObject {
    Q_OBJECT

public:
    EditController(const MainMenu& menu, QObject* parent);

private:
    void follow(QWidget* focus);
    void updateUndo();

    const MainMenu& menu_;
    QPointer<QWidget> editor_;  ///< the focused editor
};

}  // namespace kinescope::ui
