#include "ui/widgets/eta_format.h"

#include <QCoreApplication>
#include <QDateTime>
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

QString formatReadyTime(double seconds, const QDateTime& now) {
    constexpr int kDaysOfAWeek = 7;
    const QLocale locale;
    const QDateTime ready = now.addSecs(std::llround(seconds));
    const QString time = locale.toString(ready.time(), QLocale::ShortFormat);
    const qint64 days = now.date().daysTo(ready.date());
    if (days == 0) return time;
    const QString day = days < kDaysOfAWeek ? locale.dayName(ready.date().dayOfWeek(), QLocale::ShortFormat)
                                            : locale.toString(ready.date(), QLocale::ShortFormat);
    return QStringLiteral("%1 %2").arg(day, time);
}

QString formatClipLength(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return {};
    if (seconds >= 59.95) return formatDuration(seconds);
    return QCoreApplication::translate("EtaFormat", "%1 s").arg(QLocale().toString(seconds, 'f', 1));
}

}  // namespace kinescope::ui
