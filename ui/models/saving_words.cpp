#include "ui/models/saving_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(SavingWords)
};

// Measured by tests/bench/measure_savings.py on ten prompts of the built-in model, two seeds each, 12 steps; PSNR of
// the frames against the full run.
constexpr double kGentle = 0.05;
constexpr double kStrong = 0.1;

QString number(double value) {
    return QLocale().toString(value, 'g', 3);
}

int percent(double part) {
    return static_cast<int>(part * 100 + 0.5);
}

}  // namespace

QString stepCacheWords(double threshold) {
    if (!(threshold > 0)) return Words::tr("Off: every step is computed.");
    if (threshold <= kGentle)
        return Words::tr(
                   "Measured at %1: up to 3 of 12 steps left out, with some words none; the pictures alike to "
                   "53 dB and more.")
            .arg(number(kGentle));
    if (threshold <= kStrong)
        return Words::tr(
                   "Measured at %1: up to 5 of 12 steps left out, with some words none; the pictures alike to "
                   "44 dB and more.")
            .arg(number(kStrong));
    return Words::tr("Not measured: more steps are left out, and the pictures change more.");
}

bool isGuided(const VideoRequest& resolved) {
    return resolved.guidance_scale.value_or(1) > 1 || resolved.guidance_scale_2.value_or(1) > 1 ||
           resolved.max_guidance_scale.value_or(1) > 1;
}

QString savingSummary(const VideoRequest& resolved) {
    QStringList parts;
    if (resolved.step_cache.value_or(0) > 0) parts << Words::tr("step cache %1").arg(number(*resolved.step_cache));
    const double start = resolved.guidance_start.value_or(0);
    const double stop = resolved.guidance_stop.value_or(1);
    if (isGuided(resolved) && (start > 0 || stop < 1))
        parts << Words::tr("guided %1 to %2 %").arg(percent(start)).arg(percent(stop));
    return parts.isEmpty() ? Words::tr("Off") : parts.join(Words::tr(", ", "between savings"));
}

}  // namespace kinescope::ui
