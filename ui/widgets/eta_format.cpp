#include "ui/widgets/eta_format.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

namespace kinescope::ui {

QString formatDuration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return {};
    constexpr double kShortest = 0.1;
    if (seconds > 0 && seconds < kShortest)
        return QCoreApplication::translate("EtaFormat", "< %1 s").arg(QLocale().toString(kShortest, 'f', 1));
    if (seconds > 0 && seconds < 0.95) return formatClipLength(seconds);
    const auto whole = static_cast<qint64>(std::llround(seconds));
    if (whole < 60) return QCoreApplication::translate("EtaFormat", "%1 s").arg(whole);
    if (whole < 3600) return QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    const auto minutes = static_cast<qint64>(std::llround(seconds / 60));
    return QCoreApplication::translate("EtaFormat", "%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

QString formatClipLength(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return {};
    if (seconds >= 59.95) return formatDuration(seconds);
    return QCoreApplication::translate("EtaFormat", "%1 s").arg(QLocale().toString(seconds, 'f', 1));
}

}  // namespace kinescope::ui
