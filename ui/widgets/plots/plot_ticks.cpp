#include "ui/widgets/plots/plot_ticks.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace kinescope::ui {

QString shortNumber(double value) {
    static const QString suffixes[] = {{}, QStringLiteral(" k"), QStringLiteral(" M"), QStringLiteral(" G")};
    int power = 0;
    while (std::abs(value) >= 1000 && power < 3) {
        value /= 1024;
        ++power;
    }
    if (std::abs(value) >= 1e4 || (value != 0 && std::abs(value) < 1e-2)) return QLocale().toString(value, 'e', 0);
    const int decimals = std::abs(value) >= 10 || value == std::round(value) ? 0 : std::abs(value) >= 1 ? 1 : 2;
    return QLocale().toString(value, 'f', decimals) + suffixes[power];
}

QList<PlotTick> log2Ticks(double low, double high, int most) {
    QList<PlotTick> ticks;
    if (!(low > 0) || !(high > low) || !std::isfinite(high) || most < 2) return ticks;
    const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
    const int stride = std::max(1, (last - first + most - 2) / (most - 1));
    for (int power = first; power <= last; power += stride) {
        const double value = std::exp2(power);
        ticks.append({value, shortNumber(value)});
    }
    return ticks;
}

QList<PlotTick> linearTicks(double low, double high, int most) {
    QList<PlotTick> ticks;
    if (!std::isfinite(low) || !std::isfinite(high) || !(high > low) || most < 2) return ticks;
    const double rough = (high - low) / most;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = power * 10;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough) {
            step = factor * power;
            break;
        }
    }
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 6);
    const auto first = static_cast<long long>(std::ceil(low / step - 1e-9));
    const auto last = static_cast<long long>(std::floor(high / step + 1e-9));
    for (long long i = first; i <= last; ++i) {
        const double value = static_cast<double>(i) * step;
        ticks.append({value, QLocale().toString(value, 'f', decimals)});
    }
    return ticks;
}

}  // namespace kinescope::ui
