#pragma once

#include <QList>
#include <utility>

namespace kinescope::ui {

/// Where the phases of a run lie on one line: widths by expected time, none below a floor. Phase bar and precision
/// timeline share it, so that they stand exactly above one another.
class PhaseAxis {
public:
    struct Measure {
        double left = 0;
        double width = 0;
        double gap = 4;
        double floor = 60;  ///< the least width of a phase; equal widths when not even that fits
    };

    PhaseAxis() = default;
    PhaseAxis(const QList<double>& expected_seconds, const Measure& measure);

    int count() const { return static_cast<int>(starts_.size()); }
    double start(int phase) const { return starts_[phase]; }
    double width(int phase) const { return widths_[phase]; }
    double end(int phase) const { return starts_[phase] + widths_[phase]; }
    /// `part` of the way through a phase, 0..1.
    double at(int phase, double part) const;

private:
    QList<double> starts_;
    QList<double> widths_;
};

}  // namespace kinescope::ui
