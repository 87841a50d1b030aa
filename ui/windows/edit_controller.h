#pragma once

#include <QObject>

namespace kinescope::ui {

class MainMenu;

/// Applies the Edit menu to the focused widget. Does nothing if the widget does not support the action.
class EditController : public QObject {
    Q_OBJECT

public:
    EditController(const MainMenu& menu, QObject* parent);
};

}  // namespace kinescope::ui
