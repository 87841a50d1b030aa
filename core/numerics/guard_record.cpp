#include "core/numerics/guard_record.h"

#include <algorithm>
#include <cmath>

#include "core/base/significant.h"

namespace kinescope {

LocalizableMessage found_in(const TensorStats& stats) {
    // A count replaces the values by zeros, so that the extremes are finite.
    const bool is_counted = std::isfinite(stats.min) && std::isfinite(stats.max);
    if (!is_counted)
        return {.code = "not_finite",
                .values = {},
                .text = std::string(stats.nan > 0 ? "NaN" : "Inf") + " in " + std::to_string(stats.count) + " values"};
    const std::string nan = std::to_string(stats.nan), inf = std::to_string(stats.inf);
    const std::string count = std::to_string(stats.count);
    return {.code = "not_finite",
            .values = {{"nan", nan}, {"inf", inf}, {"count", count}},
            .text = nan + " NaN and " + inf + " Inf of " + count + " values"};
}

namespace {

std::string full_site(const std::string& component, const std::string& site) {
    return component.empty() || site.empty() ? component + site : component + "." + site;
}

ComputePrecision precision_on(PrecisionLevel level) {
    return {level == PrecisionLevel::scaled ? ElementType::float16 : ElementType::float32, level};
}

GuardActed record_of(const NumericSample& sample) {
    return {.phase = sample.phase,
            .step = sample.step,
            .site = sample.component + "." + sample.site,
            .detector = detector_of(sample),
            .found = found_in(sample.stats),
            .action = GuardAction::warn,
            .before = sample.precision,
            .after = sample.precision,
            .attempt = sample.attempt,
            .seconds = 0};
}

GuardAction action_of(const GuardDecision& decision) {
    switch (decision.action) {
        case GuardDecision::Action::repeat:
            return GuardAction::repeat;
        case GuardDecision::Action::safe_switches:
            return GuardAction::accumulate_float32;
        case GuardDecision::Action::raise:
            return decision.raise->site.empty() ? GuardAction::raise_component : GuardAction::raise;
        case GuardDecision::Action::stop:
            return GuardAction::stop;
        case GuardDecision::Action::go_on:
            break;
    }
    return GuardAction::warn;
}

}  // namespace

GuardActed guard_acted(const GuardDecision& decision) {
    GuardActed record = record_of(*decision.offender);
    record.action = action_of(decision);
    if (decision.raise) record.after = precision_on(decision.raise->level);
    return record;
}

GuardActed guard_acted(const Finding& finding) {
    GuardActed record = record_of(finding.sample);
    record.detector = finding.detector;
    record.found = finding.found;
    if (finding.weight == Finding::Weight::warning) return record;
    record.action = GuardAction::raise_ahead;
    record.after =
        finding.weight == Finding::Weight::avoided ? finding.instead : precision_on(raised_level(finding.sample));
    return record;
}

GuardActed guard_acted(const NumericError& error, GuardAction action) {
    const NumericFault& fault = error.fault();
    return {.phase = fault.phase,
            .step = fault.step,
            .site = full_site(fault.component, fault.site),
            .detector = fault.detector,
            .found = {.code = std::string(to_string(error.code())), .values = error.arguments(), .text = fault.found},
            .action = action,
            .before = fault.computed,
            .after = fault.computed,
            .attempt = 0,
            .seconds = 0};
}

GuardActed guard_mistrusted(GuardActed cause, double decibels) {
    const std::string agreement = significant(decibels, 3);
    cause.action = GuardAction::raise_component;
    cause.found = {.code = "mistrusted",
                   .values = {{"decibels", agreement}},
                   .text = "the result agrees with float32 to only " + agreement +
                           " dB, because the op amplifies the rounding of other ops"};
    cause.after = precision_on(PrecisionLevel::float32);
    return cause;
}

GuardActed guard_unsteady(GuardActed cause, double decibels) {
    const std::string agreement = significant(decibels, 3);
    cause.action = GuardAction::warn;
    cause.found = {
        .code = "unsteady",
        .values = {{"decibels", agreement}},
        .text = "the result of this step agrees with float32 to " + agreement + " dB; later steps may agree less"};
    cause.after = cause.before;
    return cause;
}

GuardActed guard_not_compared(GuardActed cause) {
    cause.action = GuardAction::warn;
    cause.found = {
        .code = "not_compared", .values = {}, .text = "there is not enough memory to compare the result with float32"};
    cause.after = cause.before;
    return cause;
}

GuardActed guard_learned(const PrecisionOverride& override) {
    return {.phase = Phase::load,
            .step = 0,
            .site = full_site(override.component, override.site),
            .detector = Detector::weights,
            .found = {.code = "learned",
                      .values = {},
                      .text = "an earlier run with this model on this device had to raise it"},
            .action = GuardAction::learned,
            .before = AsPlanned(),
            .after = precision_on(override.level),
            .attempt = 0,
            .seconds = 0};
}

GuardActed as_observed(GuardActed record) {
    record.action = GuardAction::observe;
    record.after = record.before;
    return record;
}

std::string attempt_in_words(const GuardActed& record) {
    const std::string change = " (" + to_string(record.before) + " -> " + to_string(record.after) + ")";
    switch (record.action) {
        case GuardAction::repeat:
            return record.site + ": repeated, watching every op";
        case GuardAction::accumulate_float32:
            return record.site + ": repeated, accumulating in float32";
        case GuardAction::raise_component:
            return record.site.substr(0, record.site.find('.')) + ": repeated as a whole in float32" + change;
        default:
            return record.site + ": repeated" + change;
    }
}

std::optional<GuardActed> first_not_finite(const std::vector<GuardActed>& records) {
    const auto found =
        std::ranges::find_if(records, [](const GuardActed& record) { return record.found.code == "not_finite"; });
    return found == records.end() ? std::nullopt : std::optional(*found);
}

}  // namespace kinescope
