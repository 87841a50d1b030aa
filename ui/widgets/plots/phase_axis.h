#pragma once

#include <QList>
#include <utility>

namespace kinescope::ui {

/// Maps the phases of a run to a horizontal axis. Widths are proportional to the expected time, with a minimum. The
/// phase bar and the precision timeline share it, so that they are aligned.
class PhaseAxis {
public:
    struct Measure {
        double left = 0;
        double width = 0;
        double gap = 4;
        double floor = 60;  ///< minimum width of a phase; if it does not fit, all widths are equal
    };

    PhaseAxis() = default;
    PhaseAxis(const QList<double>& expected_seconds, const Measure& measure);

    int count() const { return static_cast<int>(starts_.size()); }
    double start(int phase) const { return starts_[phase]; }
    double width(int phase) const { return widths_[phase]; }
    double end(int phase) const { return starts_[phase] + widths_[phase]; }
    /// Returns the x coordinate at the fraction `part` (0..1) of a phase.
    double at(int phase, double part) const;

private:
    QList<double> starts_;
    QList<double> widths_;
};

}  // namespace kinescope::ui
