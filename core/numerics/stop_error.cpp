#include "core/numerics/stop_error.h"

#include <algorithm>

#include "core/api/joined.h"
#include "core/base/significant.h"
#include "core/numerics/guard_record.h"

namespace kinescope {

namespace {

constexpr std::size_t kTraceLength = 8;

/// Describes the largest values at the last sites: "blocks.0.ffn 12.5, blocks.0 13.1, blocks.1.attn1 not finite".
std::string trace_to(const NumericSample& offender, const Samples& samples) {
    std::vector<std::string> parts;
    for (const NumericSample& sample : samples) {
        parts.push_back(sample.site + " " + (sample.is_finite() ? significant(sample.stats.max_abs, 4) : "not finite"));
        if (&sample == &offender) break;
    }
    if (parts.size() > kTraceLength) parts.erase(parts.begin(), parts.end() - kTraceLength);
    return joined(parts, ", ");
}

std::string versions(const std::map<std::string, std::string>& libraries) {
    return joined(libraries, ", ", [](const auto& library) { return library.first + " " + library.second; });
}

std::string place_in_words(const NumericSample& sample) {
    std::string place = sample.component + " " + sample.site;
    if (sample.phase == Phase::denoise) place = "step " + std::to_string(sample.step + 1) + ", " + place;
    return sample.branch.empty() ? place : place + " (" + sample.branch + ")";
}

std::string hint_for(const NumericSample& sample) {
    const std::string flag = sample.component == "vae"                      ? "--vae-dtype"
                             : sample.component.starts_with("text_encoder") ? "--text-encoder-dtype"
                                                                            : "--dtype";
    if (sample.precision.dtype != ElementType::float32) return "Try " + flag + " fp32.";
    return "It computes in float32 already, so the model file is probably damaged. Download it again.";
}

std::string cause_of(const NumericSample& sample) {
    return sample.precision.dtype == ElementType::float32
               ? "float32 itself is not finite, so a weight is probably damaged"
               : "likely an overflow of " + to_string(sample.precision);
}

}  // namespace

NumericError not_finite_error(const StopReport& report) {
    const NumericSample& sample = report.offender;
    const std::string tried = report.tried.empty() ? "nothing" : joined(report.tried, "; ");
    const std::string found = found_in(sample.stats).text;
    return {ErrorCode::not_finite,
            to_string(sample.phase) + ": " + found + " at " + place_in_words(sample) + ", computed in " +
                to_string(sample.precision) + " on " + report.device + "; " + cause_of(sample) + ". Tried: " + tried,
            hint_for(sample),
            {.detector = detector_of(sample),
             .phase = sample.phase,
             .step = sample.step,
             .component = sample.component,
             .site = sample.site,
             .computed = sample.precision,
             .found = found},
            {{"branch", sample.branch},
             {"tried", tried},
             {"trace", trace_to(sample, report.samples)},
             {"device", report.device},
             {"libraries", versions(report.libraries)}}};
}

NumericError observed_error(const GuardActed& first, const Error& end) {
    const std::string place =
        (first.phase == Phase::denoise ? "step " + std::to_string(first.step + 1) : to_string(first.phase)) + ", " +
        first.site;
    std::map<std::string, std::string> more = first.found.values;  // nan, inf, count
    more.emplace("guard", "observe");
    return {ErrorCode::not_finite,
            place + ": " + first.found.text + ", computed in " + to_string(first.before) +
                "; the guard only observed, so the run continued until " + end.message(),
            "Run again with --guard heal.",
            {.detector = first.detector,
             .phase = first.phase,
             .step = first.step,
             .site = first.site,
             .computed = first.before,
             .found = first.found.text},
            std::move(more)};
}

}  // namespace kinescope
