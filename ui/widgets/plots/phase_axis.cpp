#include "ui/widgets/plots/phase_axis.h"

#include <algorithm>
#include <cmath>

namespace kinescope::ui {

namespace {

/// Divides `room` into widths in proportion to `weights`, each at least `floor`.
QList<double> distribute(const QList<double>& weights, double room, double floor) {
    const auto count = weights.size();
    QList<double> widths(count, room / static_cast<double>(std::max<qsizetype>(count, 1)));
    if (floor * static_cast<double>(count) >= room) return widths;
    QList<bool> at_floor(count, false);
    for (bool again = true; again;) {
        again = false;
        double left = room;
        double total = 0;
        for (qsizetype i = 0; i < count; ++i) {
            if (at_floor[i])
                left -= floor;
            else
                total += weights[i];
        }
        for (qsizetype i = 0; i < count; ++i) {
            widths[i] = at_floor[i] ? floor : left * weights[i] / total;
            if (!at_floor[i] && widths[i] < floor) at_floor[i] = again = true;
        }
    }
    return widths;
}

}  // namespace

PhaseAxis::PhaseAxis(const QList<double>& expected_seconds, const Measure& measure) {
    QList<double> weights;
    for (const double seconds : expected_seconds) {
        weights.append(std::isfinite(seconds) && seconds > 0 ? seconds : 1e-6);
    }
    const double gaps = measure.gap * static_cast<double>(std::max<qsizetype>(weights.size() - 1, 0));
    widths_ = distribute(weights, std::max(measure.width - gaps, 0.0), measure.floor);
    double x = measure.left;
    for (const double width : widths_) {
        starts_.append(x);
        x += width + measure.gap;
    }
}

double PhaseAxis::at(int phase, double part) const {
    return start(phase) + width(phase) * std::clamp(part, 0.0, 1.0);
}

}  // namespace kinescope::ui
