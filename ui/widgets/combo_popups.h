#pragma once

#include <QObject>

namespace kinescope::ui {

/// An application-wide event filter. Makes the list of a combo box show all entries in full, as far as they fit on the
/// screen.
class ComboPopups : public QObject {
    Q_OBJECT

public:
    explicit ComboPopups(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace kinescope::ui
