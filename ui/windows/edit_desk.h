#pragma once

#include <QObject>

namespace kinescope::ui {

class MainMenu;

/// The Edit menu's work on words: an entry presses its key in the widget that has the focus, so that each field undoes
/// and copies in its own way.
class EditDesk : public QObject {
    Q_OBJECT

public:
    EditDesk(const MainMenu& menu, QObject* parent);
};

}  // namespace kinescope::ui
