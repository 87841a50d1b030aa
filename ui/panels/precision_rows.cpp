#include "ui/panels/precision_rows.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/api/component_role.h"
#include "ui/text/guard_words.h"
#include "ui/text/policy_words.h"
#include "ui/text/site_name.h"
#include "ui/widgets/language.h"

namespace kinescope::ui {

QString reasonOf(const ComponentPolicy& part) {
    return currentLanguage() == QLatin1String("en") ? QString::fromStdString(part.reason) : policyText(part);
}

QString reasonOf(const DeviceInfo& device) {
    return currentLanguage() == QLatin1String("en") ? QString::fromStdString(device.reason) : deviceText(device);
}

namespace {

constexpr std::size_t kMaxPlaces = 3;
constexpr int kRepairedSeries = 3;

/// Returns the index of the color for a component in the timeline: 0 for the denoiser, others for the remaining
/// components.
int seriesOf(Phase phase) {
    if (phase == Phase::denoise) return 0;
    return phase == Phase::encode ? 1 : 2;
}

/// Returns a precision such as "fp16". Mentions half-precision sums, which are used only if the user enables them.
QString precisionText(const ComponentPolicy& part) {
    const QString dtype = dtypeName(part.compute);
    return hasHalfSums(part) ? QCoreApplication::translate("Precision", "%1, half-precision sums").arg(dtype) : dtype;
}

PrecisionRow componentRow(const ComponentPolicy& part) {
    const Phase phase = phase_of(role_of(part.component));
    const int at = static_cast<int>(phase);
    return {componentName(part.component), {{{at, 0}, {at, 1}, precisionText(part), seriesOf(phase), reasonOf(part)}}};
}

PhaseMoment momentOf(const GuardActed& action, int numSteps) {
    const bool inStep = action.phase == Phase::denoise && numSteps > 0;
    return {static_cast<int>(action.phase), inStep ? static_cast<double>(action.step) / numSteps : 0.0};
}

/// Returns the last repaired sites, oldest first. Sites with known overrides fill the remaining rows.
std::vector<std::string> placesOf(const RunFacts& facts) {
    std::vector<std::string> places;
    for (const std::vector<GuardActed>* actions : {&facts.repairs, &facts.knownOverrides})
        for (auto action = actions->rbegin(); action != actions->rend() && places.size() < kMaxPlaces; ++action)
            if (std::ranges::find(places, action->site) == places.end()) places.push_back(action->site);
    std::ranges::reverse(places);
    return places;
}

/// Returns the span of a site with a known override. It covers the whole phase.
QList<PrecisionSpan> knownSpans(const std::string& site, const RunFacts& facts) {
    const auto known = std::ranges::find(facts.knownOverrides, site, &GuardActed::site);
    if (known == facts.knownOverrides.end()) return {};
    const int phase = static_cast<int>(phase_of(role_of(site.substr(0, site.find('.')))));
    return {{{phase, 0}, {phase, 1}, precisionLabel(known->after), kRepairedSeries, foundText(known->found)}};
}

PrecisionRow placeRow(const std::string& site, const RunFacts& facts) {
    PrecisionRow row{siteName(site), knownSpans(site, facts)};
    for (const GuardActed& repair : facts.repairs) {
        if (repair.site != site) continue;
        const int phase = static_cast<int>(repair.phase);
        const PhaseMoment now = momentOf(repair, facts.progress.numSteps);
        if (row.spans.isEmpty() && now.part > 0)
            row.spans.append({{phase, 0}, now, precisionLabel(repair.before), seriesOf(repair.phase), {}});
        if (!row.spans.isEmpty()) row.spans.back().to = now;
        row.spans.append({now, {phase, 1}, precisionLabel(repair.after), kRepairedSeries, foundText(repair.found)});
    }
    row.spans.removeIf([](const PrecisionSpan& span) { return span.from == span.to; });
    return row;
}

}  // namespace

QList<PrecisionRow> precisionRows(const RunFacts& facts) {
    QList<PrecisionRow> rows;
    for (const ComponentPolicy& part : facts.policy) rows.append(componentRow(part));
    for (const std::string& site : placesOf(facts)) rows.append(placeRow(site, facts));
    return rows;
}

QList<PhaseMoment> repairMoments(const RunFacts& facts) {
    QList<PhaseMoment> moments;
    for (const GuardActed& repair : facts.repairs) moments.append(momentOf(repair, facts.progress.numSteps));
    return moments;
}

}  // namespace kinescope::ui
