#include "core/numerics/numerics_guard.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "core/numerics/numerics_monitor.h"

namespace kinescope {

const NumericSample* first_not_finite(const Samples& samples) {
    const auto found = std::find_if(samples.begin(), samples.end(), [](const NumericSample& sample) {
        return sample.stats.nan + sample.stats.inf > 0;
    });
    return found == samples.end() ? nullptr : &*found;
}

namespace {

Sentence found_in(const TensorStats& stats) {
    const std::string nan = std::to_string(stats.nan), inf = std::to_string(stats.inf);
    const std::string count = std::to_string(stats.count);
    return {.code = "not_finite",
            .values = {{"nan", nan}, {"inf", inf}, {"count", count}},
            .text = nan + " NaN and " + inf + " Inf of " + count + " values"};
}

std::string place_in_words(const NumericSample& sample) {
    std::string place = sample.component + " " + sample.site;
    if (sample.phase == Phase::denoise) place = "step " + std::to_string(sample.step + 1) + ", " + place;
    return sample.branch.empty() ? place : place + " (" + sample.branch + ")";
}

/// A component computes in less than float32 somewhere: raising all of it may help.
bool is_lowered(const Samples& samples, const std::string& component) {
    return std::any_of(samples.begin(), samples.end(), [&](const NumericSample& sample) {
        return sample.component == component && sample.dtype != "float32";
    });
}

GuardDecision raised_to(const NumericSample& offender, const std::string& site, Rung rung) {
    return {GuardDecision::Action::raise, &offender, PrecisionOverride{offender.component, site, rung}};
}

/// As NumericSample::dtype spells it.
std::string dtype_on(Rung rung) {
    return rung == Rung::scaled ? std::string("float16") + kScaledSuffix : "float32";
}

}  // namespace

std::optional<Rung> next_rung(const NumericSample& sample) {
    if (sample.dtype == "float32") return std::nullopt;
    return sample.dtype == "float16" ? Rung::scaled : Rung::float32;
}

GuardDecision decide(const GuardInput& input) {
    using enum GuardDecision::Action;
    const NumericSample* offender = first_not_finite(input.samples);
    if (offender == nullptr) return {};
    const bool is_vague = input.watch != Watch::ops || input.kernels == Kernels::varying;
    if (is_vague && offender->attempt == 0) return {repeat, offender, std::nullopt};
    if (input.half_accumulation == HalfAccumulation::allowed) return {safe_switches, offender, std::nullopt};
    const auto rung = next_rung(*offender);
    if (rung && offender->attempt < kMaxAttempts) return raised_to(*offender, offender->site, *rung);
    const bool is_whole = input.overrides.rung_of_all(offender->component) == Rung::float32;
    if (!is_whole && is_lowered(input.samples, offender->component)) return raised_to(*offender, "", Rung::float32);
    return {stop, offender, std::nullopt};
}

namespace {

GuardActed record_of(const NumericSample& sample) {
    return {.phase = sample.phase,
            .step = sample.step,
            .site = sample.component + "." + sample.site,
            .detector = detector_of(sample),
            .found = found_in(sample.stats),
            .action = GuardAction::warn,
            .before = sample.dtype,
            .after = sample.dtype,
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
    if (decision.raise) record.after = dtype_on(decision.raise->rung);
    return record;
}

std::string attempt_in_words(const GuardActed& record) {
    const std::string change = " (" + record.before + " -> " + record.after + ")";
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

GuardActed guard_acted(const Finding& finding) {
    GuardActed record = record_of(finding.sample);
    record.detector = finding.detector;
    record.found = finding.found;
    record.action = GuardAction::warn;
    if (finding.weight == Finding::Weight::raise) {
        record.action = GuardAction::raise_ahead;
        record.after = dtype_on(next_rung(finding.sample).value_or(Rung::float32));
    }
    return record;
}

namespace {

Phase parse_phase(const std::string& text) {
    for (const Phase phase : {Phase::load, Phase::encode, Phase::denoise, Phase::decode})
        if (to_string(phase) == text) return phase;
    return Phase::save;
}

}  // namespace

GuardActed acted_on_error(const Error& error, GuardAction action) {
    const auto argument = [&](const char* name) {
        const auto found = error.arguments().find(name);
        return found == error.arguments().end() ? std::string() : found->second;
    };
    const std::string component = argument("component");
    return {
        .phase = parse_phase(argument("phase")),
        .step = std::max(std::atoi(argument("step").c_str()) - 1, 0),
        .site = component.empty() ? argument("site") : component + "." + argument("site"),
        .detector = argument("detector"),
        .found = {.code = std::string(to_string(error.code())), .values = error.arguments(), .text = argument("found")},
        .action = action,
        .before = argument("dtype"),
        .after = argument("dtype"),
        .attempt = 0,
        .seconds = 0};
}

std::optional<GuardActed> first_not_finite(const std::vector<GuardActed>& records) {
    const auto found =
        std::ranges::find_if(records, [](const GuardActed& record) { return record.found.code == "not_finite"; });
    return found == records.end() ? std::nullopt : std::optional(*found);
}

bool is_about_frames(const Error& error) {
    const auto detector = error.arguments().find("detector");
    return detector != error.arguments().end() && detector->second == "S9";
}

Error observed_error(const GuardActed& first, const Error& end) {
    const std::string step = std::to_string(first.step + 1);
    const std::string place =
        (first.phase == Phase::denoise ? "step " + step : to_string(first.phase)) + ", " + first.site;
    std::map<std::string, std::string> arguments = first.found.values;  // nan, inf, count
    arguments.insert({{"guard", "observe"},
                      {"phase", to_string(first.phase)},
                      {"step", step},
                      {"site", first.site},
                      {"detector", first.detector},
                      {"dtype", first.before},
                      {"found", first.found.text}});
    return {ErrorCode::not_finite,
            place + ": " + first.found.text + ", computed in " + first.before +
                "; the guard only observed, so the run went on with them until " + end.message(),
            "Run again with --guard heal.", std::move(arguments)};
}

GuardActed guard_learned(const PrecisionOverride& override) {
    return {.phase = Phase::load,
            .step = 0,
            .site = override.site.empty() ? override.component : override.component + "." + override.site,
            .detector = "S0",
            .found = {.code = "learned",
                      .values = {},
                      .text = "an earlier run with this model on this device had to raise it"},
            .action = GuardAction::learned,
            .before = "planned",
            .after = dtype_on(override.rung),
            .attempt = 0,
            .seconds = 0};
}

namespace {

constexpr std::size_t kTraceLength = 8;

std::string four_digits(double value) {
    std::array<char, 32> characters{};
    std::snprintf(characters.data(), characters.size(), "%.4g", value);
    return characters.data();
}

std::string joined(const std::vector<std::string>& parts, const char* separator) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
    return text;
}

/// "blocks.0.ffn 12.5, blocks.0 13.1, blocks.1.attn1 not finite"
std::string trace_to(const NumericSample& offender, const Samples& samples) {
    std::vector<std::string> parts;
    for (const NumericSample& sample : samples) {
        const bool is_finite = sample.stats.nan + sample.stats.inf == 0;
        parts.push_back(sample.site + " " + (is_finite ? four_digits(sample.stats.max_abs) : "not finite"));
        if (&sample == &offender) break;
    }
    if (parts.size() > kTraceLength) parts.erase(parts.begin(), parts.end() - kTraceLength);
    return joined(parts, ", ");
}

std::string versions(const std::map<std::string, std::string>& libraries) {
    std::vector<std::string> parts;
    for (const auto& [name, version] : libraries) parts.push_back(name + " " + version);
    return joined(parts, ", ");
}

std::string hint_for(const NumericSample& sample) {
    const std::string flag = sample.component == "vae"                      ? "--vae-dtype"
                             : sample.component.starts_with("text_encoder") ? "--text-encoder-dtype"
                                                                            : "--dtype";
    if (sample.dtype != "float32") return "Try " + flag + " fp32.";
    return "It computes in float32 already: the model file is probably damaged, get it again.";
}

std::string cause_of(const NumericSample& sample) {
    return sample.dtype == "float32" ? "float32 itself is not finite, so a weight is probably damaged"
                                     : "likely an overflow of " + sample.dtype;
}

}  // namespace

Error not_finite_error(const StopReport& report) {
    const NumericSample& sample = report.offender;
    const std::string tried = report.tried.empty() ? "nothing" : joined(report.tried, "; ");
    return {ErrorCode::not_finite,
            to_string(sample.phase) + ": " + found_in(sample.stats).text + " at " + place_in_words(sample) +
                ", computed in " + sample.dtype + " on " + report.device + "; " + cause_of(sample) +
                ". Tried: " + tried,
            hint_for(sample),
            {{"phase", to_string(sample.phase)},
             {"step", std::to_string(sample.step + 1)},
             {"component", sample.component},
             {"site", sample.site},
             {"branch", sample.branch},
             {"dtype", sample.dtype},
             {"detector", detector_of(sample)},
             {"found", found_in(sample.stats).text},
             {"tried", tried},
             {"trace", trace_to(sample, report.samples)},
             {"device", report.device},
             {"libraries", versions(report.libraries)}}};
}

}  // namespace kinescope
