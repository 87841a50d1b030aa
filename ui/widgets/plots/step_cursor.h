#pragma once

#include <QHash>
#include <QObject>

namespace kinescope::ui {

/// What all plots with a step axis share: the cursor and the width of the labels left of the axis. The pointer moves
/// the cursor, a click pins it, Esc releases it. Steps count from 1; 0 means that there is no cursor.
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

    /// Sets the width that the labels of one plot need, in px. 0 removes the plot.
    void setLabelWidth(const QObject* plot, double width);
    /// Returns the largest width of all plots.
    double labelWidth() const { return label_width_; }

Q_SIGNALS:
    void stepChanged(int step);
    void pinnedChanged(int step);
    void labelWidthChanged();

private:
    int hovered_ = 0;
    int pinned_ = 0;
    QHash<const QObject*, double> label_widths_;
    double label_width_ = 0;
};

}  // namespace kinescope::ui
