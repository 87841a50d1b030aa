#pragma once

#include <QObject>

namespace kinescope::ui {

/// The one cursor of all plots on a step axis: the pointer moves it, a click pins it, Esc frees it.
/// Steps count from 1; 0 means none.
class StepCursor : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Where the line stands: the pinned step, or the one under the pointer.
    int step() const { return pinned_ > 0 ? pinned_ : hovered_; }
    int pinned() const { return pinned_; }

    void hover(int step);
    void leave() { hover(0); }
    /// Pinning the pinned step frees it.
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
