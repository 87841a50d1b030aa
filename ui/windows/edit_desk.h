#pragma once

#include <QObject>

namespace kinescope::ui {

class MainMenu;

/// Makes the Edit menu act on the widget with the focus. Where that widget cannot undo, copy or paste, nothing happens.
class EditDesk : public QObject {
    Q_OBJECT

public:
    EditDesk(const MainMenu& menu, QObject* parent);
};

}  // namespace kinescope::ui
