#pragma once

#include <QObject>

namespace kinescope::ui {

/// Application-wide event filter: the list of a combo box shows all entries and whole texts, as far as the screen has
/// room.
class ComboPopups : public QObject {
    Q_OBJECT

public:
    explicit ComboPopups(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace kinescope::ui
