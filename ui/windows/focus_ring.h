#pragma once

#include <QList>
#include <QObject>
#include <functional>

class QWidget;

namespace kinescope::ui {

/// Moves the focus between the visible parts of the window with F6 and Shift+F6.
class FocusRing : public QObject {
    Q_OBJECT

public:
    /// `parts` are in focus order.
    FocusRing(QWidget& window, QList<QWidget*> parts);

    void next() { move(1); }
    void previous() { move(-1); }

private:
    int current() const;
    void move(int direction);

    QList<QWidget*> parts_;
};

}  // namespace kinescope::ui
