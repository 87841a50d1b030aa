#include "ui/models/traffic_light_rule.h"

#include <QCoreApplication>
#include <QLocale>

#include "ui/text/guard_words.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(TrafficLight)
};

constexpr double kFloat16Max = 65504;
constexpr double kUsualFactor = 2;  ///< peaks of prompts and seeds differ by less

bool hasNearLimit(const SiteNumbers& place) {
    return place.precision == ComputePrecision{ElementType::float16};
}

QString number(double value) {
    const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return QLocale().toString(value, 'f', decimals);
}

/// Compares a peak with earlier runs, because values never come close to the limits of bf16 and float32.
QString usualText(const NumbersSeen& seen, const SiteNumbers& place) {
    const QString peak = number(place.maxAbs);
    const QString type = precisionLabel(place.precision);
    if (seen.usualRatio <= 0) return Tr::tr("peak %1 (%2)").arg(peak, type);
    if (seen.usualRatio <= kUsualFactor) return Tr::tr("peak %1 (%2), usual for this model").arg(peak, type);
    return Tr::tr("peak %1 (%2), one site at %3 times its usual peak").arg(peak, type, number(seen.usualRatio));
}

/// Describes a peak: "peak 312 of 65,504 (fp16), 7.7 stops of headroom".
QString peakText(const NumbersSeen& seen, const SiteNumbers& place) {
    if (!hasNearLimit(place)) return usualText(seen, place);
    return Tr::tr("peak %1 of %2 (%3), %4 stops of headroom")
        .arg(number(place.maxAbs), QLocale().toString(kFloat16Max, 'f', 0), precisionLabel(place.precision),
             QLocale().toString(place.headroomStops, 'f', 1));
}

QString stopTitle(const NumericStop& stop) {
    const QString site = siteNameInSentence(stop.site);
    if (stop.step == 0) return Tr::tr("Stopped: invalid values in %1").arg(site);
    if (stop.onlyObserved) return Tr::tr("Invalid values since step %1: %2").arg(stop.step).arg(site);
    return Tr::tr("Stopped at step %1: invalid values in %2").arg(stop.step).arg(site);
}

NumbersLine stopped(const NumericStop& stop) {
    return {NumbersState::stopped, stopTitle(stop),
            stop.onlyObserved ? Tr::tr("The guard only observed, so the run went on. Its frames are invalid. "
                                       "There is no finished video.")
                              : Tr::tr("There is no finished video. The log shows the earlier values.")};
}

NumbersLine warningLine(const GuardActed& finding) {
    return {NumbersState::close, Tr::tr("Warning: %1").arg(foundText(finding.found)), siteName(finding.site)};
}

/// Returns the title of a run without findings.
QString healthyTitle(const NumbersSeen& seen, const SiteNumbers& place) {
    switch (seen.guard) {
        case GuardMode::off:
            return Tr::tr("No invalid values: %1 (guard off)").arg(peakText(seen, place));
        case GuardMode::observe:
            return Tr::tr("Values in range: %1 (observing only)").arg(peakText(seen, place));
        case GuardMode::heal:
            break;
    }
    return Tr::tr("Values in range: %1").arg(peakText(seen, place));
}

NumbersLine healthy(const NumbersSeen& seen, const SiteNumbers& place) {
    const QString title = healthyTitle(seen, place);
    if (seen.repairs == 1) {
        return {NumbersState::healed, title,
                Tr::tr("Healed once, at step %1. Nothing was lost.").arg(seen.lastRepair + 1)};
    }
    if (seen.repairs > 1) {
        return {
            NumbersState::healed, title,
            Tr::tr("Healed %1 times, last at step %2. Nothing was lost.").arg(seen.repairs).arg(seen.lastRepair + 1)};
    }
    if (seen.knownOverrides > 0)
        return {NumbersState::healthy, title,
                Tr::tr("%Ln known overrides applied from the start. No step had to be healed.", nullptr,
                       seen.knownOverrides)};
    return {
        NumbersState::healthy, title,
        Tr::tr("%1 sites measured at each step.").arg(countText(static_cast<std::int64_t>(seen.latest->sites.size())))};
}

}  // namespace

NumericStop stopOf(const Error& error) {
    const auto argument = [&](const char* name) {
        const auto found = error.arguments().find(name);
        return found == error.arguments().end() ? std::string() : found->second;
    };
    const std::string site = argument("site"), phase = argument("phase");
    const bool denoising = phase.empty() || phase == to_string(Phase::denoise);
    return {.site = site.empty() ? "latents" : site,
            .step = denoising ? QString::fromStdString(argument("step")).toInt() : 0,
            .onlyObserved = argument("guard") == "observe"};
}

NumbersLine trafficLight(const NumbersSeen& seen) {
    const int step = seen.latest ? seen.latest->step : 0;
    if (seen.stop) return stopped(*seen.stop);
    if (seen.repairing) {
        return {NumbersState::repairing,
                Tr::tr("Healing step %1: %2").arg(step + 1).arg(siteNameInSentence(seen.repairing->site)),
                {}};
    }
    if (seen.repeating) {
        return {NumbersState::repairing,
                Tr::tr("Checking step %1 again: %2").arg(step + 1).arg(siteNameInSentence(seen.repeating->site)),
                {}};
    }
    if (!seen.latest || seen.latest->sites.empty()) {
        return {NumbersState::waiting, Tr::tr("Statistics appear here during a run"), Tr::tr("No measurements yet.")};
    }
    if (const SiteNumbers* place = seen.latest->firstNonFinite()) {
        const std::int64_t count = seen.latest->nonFinite();
        return {
            NumbersState::close,
            Tr::tr("Invalid values at step %1: %2").arg(step + 1).arg(siteNameInSentence(place->site)),
            Tr::tr("NaN or infinite values: %1.").arg(seen.latest->isCounted() ? countText(count) : leastText(count))};
    }
    if (seen.finding) return warningLine(*seen.finding);
    return healthy(seen, *seen.latest->tightest());
}

}  // namespace kinescope::ui
