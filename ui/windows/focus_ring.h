#pragma once

#include <QList>
#include <QObject>
#include <functional>

class QWidget;

namespace kinescope::ui {

/// F6 and Shift+F6: from one part of the window to the next, parts that are hidden left out.
class FocusRing : public QObject {
    Q_OBJECT

public:
    /// `parts` in the order of the walk.
    FocusRing(QWidget& window, QList<QWidget*> parts);

    void next() { move(1); }
    void previous() { move(-1); }

private:
    int current() const;
    void move(int direction);

    QList<QWidget*> parts_;
};

}  // namespace kinescope::ui
