#pragma once

#include <QObject>

namespace kinescope::ui {

/// The cursor shared by all plots with a step axis. The pointer moves it, a click pins it, Esc releases it. Steps count
/// from 1; 0 means that there is no cursor.
class StepCursor : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Returns the pinned step or, if none is pinned, the step under the pointer.
    int step() const { return pinned_ > 0 ? pinned_ : hovered_; }
    int pinned() const { return pinned_; }

    void hover(int step);
    void leave() { hover(0); }
    /// Pins `step`, or releases it if it is already pinned.
    void pin(int step);
    void release();

Q_SIGNALS:
    void stepChanged(int step);
    void pinnedChanged(int step);

private:
    int hovered_ = 0;
    int pinned_ = 0;
};

}  // namespace kinescope::ui
