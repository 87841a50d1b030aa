#include "ui/models/traffic_light_rule.h"

#include <QCoreApplication>
#include <QLocale>

#include "ui/models/site_name.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(TrafficLight)
};

constexpr double kPeakGrowth = 8.0;
constexpr double kSpreadJump = 1.6;
constexpr double kFloat16Max = 65504;

bool hasNearLimit(const SiteNumbers& place) {
    return place.dtype == "float16";
}

QString number(double value) {
    const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return QLocale().toString(value, 'f', decimals);
}

/// "peak 312 of 65,504 (fp16), 7.7 stops of headroom"; bf16 and float32 have no limit worth naming.
QString peakWords(const SiteNumbers& place) {
    if (!hasNearLimit(place)) return Words::tr("peak %1 (%2)").arg(number(place.maxAbs), dtypeName(place.dtype));
    return Words::tr("peak %1 of %2 (%3), %4 stops of headroom")
        .arg(number(place.maxAbs), QLocale().toString(kFloat16Max, 'f', 0), dtypeName(place.dtype),
             QLocale().toString(place.headroomStops, 'f', 1));
}

bool peakGrew(const NumbersSeen& seen, const SiteNumbers& place) {
    return hasNearLimit(place) && seen.previousPeak && *seen.previousPeak > 0 &&
           place.maxAbs > kPeakGrowth * *seen.previousPeak;
}

bool spreadJumped(const NumbersSeen& seen) {
    return seen.spread && seen.previousSpread && *seen.previousSpread > 0 &&
           *seen.spread > kSpreadJump * *seen.previousSpread;
}

NumbersLine stopped(int step, const SiteNumbers& place) {
    return {NumbersState::stopped,
            Words::tr("Stopped at step %1: %2 is not a number").arg(step + 1).arg(siteNameInSentence(place.site)),
            Words::tr("No video was marked as finished. Open the log to see the numbers before it.")};
}

NumbersLine close(const NumbersSeen& seen, const SiteNumbers& place) {
    if (spreadJumped(seen)) {
        return {NumbersState::close,
                Words::tr("Spread jumped: %1, it was %2").arg(number(*seen.spread), number(*seen.previousSpread)),
                Words::tr("The latents widened in one step. The picture may lose detail.")};
    }
    return {NumbersState::close, Words::tr("Close to the limit: %1").arg(peakWords(place)), siteName(place.site)};
}

NumbersLine healthy(const NumbersSeen& seen, const SiteNumbers& place) {
    const QString title = seen.watchingOnly ? Words::tr("Numbers healthy: %1 (watching only)").arg(peakWords(place))
                                            : Words::tr("Numbers healthy: %1").arg(peakWords(place));
    if (seen.repairs == 1) {
        return {NumbersState::healed, title,
                Words::tr("Healed once, at step %1. Nothing was lost.").arg(seen.lastRepair + 1)};
    }
    if (seen.repairs > 1) {
        return {NumbersState::healed, title,
                Words::tr("Healed %1 times, last at step %2. Nothing was lost.")
                    .arg(seen.repairs)
                    .arg(seen.lastRepair + 1)};
    }
    if (seen.knownOverrides > 0)
        return {NumbersState::healthy, title,
                Words::tr("%n known overrides in place from the start. This run needed no repair.", nullptr,
                          seen.knownOverrides)};
    return {NumbersState::healthy, title, Words::tr("%1 places watched at each step.").arg(seen.latest->sites.size())};
}

}  // namespace

NumbersLine trafficLight(const NumbersSeen& seen) {
    const int step = seen.latest ? seen.latest->step : 0;
    if (seen.stoppedBy) return stopped(step, *seen.stoppedBy);
    if (seen.repairing) {
        return {NumbersState::repairing,
                Words::tr("Repairing step %1: %2").arg(step + 1).arg(siteNameInSentence(seen.repairing->site)),
                {}};
    }
    if (seen.repeating) {
        return {NumbersState::repairing,
                Words::tr("Checking step %1 again: %2").arg(step + 1).arg(siteNameInSentence(seen.repeating->site)),
                {}};
    }
    if (!seen.latest || seen.latest->sites.empty()) {
        return {NumbersState::waiting, Words::tr("Numbers appear here while a video is made"),
                Words::tr("Nothing is measured yet.")};
    }
    if (const SiteNumbers* place = seen.latest->firstNonFinite()) {
        return {NumbersState::close,
                Words::tr("Not a number at step %1: %2").arg(step + 1).arg(siteNameInSentence(place->site)),
                Words::tr("Values that are not finite: %1.")
                    .arg(QLocale().toString(static_cast<qlonglong>(seen.latest->nonFinite())))};
    }
    const SiteNumbers& place = *seen.latest->tightest();
    const bool near = place.headroomStops < kWatchStops;
    if (near || peakGrew(seen, place) || spreadJumped(seen)) return close(seen, place);
    return healthy(seen, place);
}

}  // namespace kinescope::ui
