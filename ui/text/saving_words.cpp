#include "ui/text/saving_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "core/api/resolved_request.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(SavingWords)
};

// Step cache thresholds that tests/bench/measure_savings.py measured: ten prompts of the built-in model, two seeds
// each, 12 steps. The PSNR compares the frames with those of the full run.
constexpr double kGentle = 0.05;
constexpr double kStrong = 0.1;

QString number(double value) {
    return QLocale().toString(value, 'g', 3);
}

int percent(double part) {
    return static_cast<int>(part * 100 + 0.5);
}

}  // namespace

QString stepCacheText(double threshold) {
    if (!(threshold > 0)) return Tr::tr("Off: every step is computed.");
    if (threshold <= kGentle)
        return Tr::tr("Measured at %1: skips up to 5 of 12 steps, depending on the prompt; PSNR 49 dB or more.")
            .arg(number(kGentle));
    if (threshold <= kStrong)
        return Tr::tr("Measured at %1: skips up to 6 of 12 steps, depending on the prompt; PSNR 42 dB or more.")
            .arg(number(kStrong));
    return Tr::tr("Not measured: skips more steps and changes the frames more.");
}

QString savingSummary(const VideoRequest& resolved) {
    QStringList parts;
    if (resolved.step_cache.value_or(0) > 0) parts << Tr::tr("step cache %1").arg(number(*resolved.step_cache));
    const double start = resolved.guidance_start.value_or(0);
    const double stop = resolved.guidance_stop.value_or(1);
    if (is_guided(resolved) && (start > 0 || stop < 1))
        parts << Tr::tr("guided %1 to %2 %").arg(percent(start)).arg(percent(stop));
    return parts.isEmpty() ? Tr::tr("Off") : parts.join(Tr::tr(", ", "between savings"));
}

}  // namespace kinescope::ui
