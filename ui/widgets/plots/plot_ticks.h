#pragma once

#include <QList>
#include <QString>

namespace kinescope::ui {

struct PlotTick {
    double value = 0;
    QString label;
};

/// Returns at most `most` powers of two from `low` to `high` with a constant ratio, e.g. 64, 1 k, 16 k, 256 k.
QList<PlotTick> log2Ticks(double low, double high, int most = 5);

/// Returns at most `most` round numbers (1, 2 or 5 times a power of ten) from `low` to `high`.
QList<PlotTick> linearTicks(double low, double high, int most = 4);

/// Formats a value with suffixes for powers of 1024: "312", "1 k", "64 k", "3 M".
QString shortNumber(double value);

}  // namespace kinescope::ui
