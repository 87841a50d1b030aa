#include "core/numerics/numerics_guard.h"

#include <algorithm>

namespace kinescope {

const NumericSample* first_not_finite(const std::vector<NumericSample>& samples) {
    const auto found = std::find_if(samples.begin(), samples.end(), [](const NumericSample& sample) {
        return sample.stats.nan + sample.stats.inf > 0;
    });
    return found == samples.end() ? nullptr : &*found;
}

namespace {

std::string detector_of(const NumericSample& sample) {
    if (sample.phase == Phase::encode) return "S1";
    if (sample.phase == Phase::decode) return sample.site == "frames" ? "S9" : "S8";
    if (sample.site == "latents") return "S6";
    if (sample.site == "noise_pred") return "S5";
    return sample.site.find("attn") != std::string::npos ? "S3" : "S2";
}

std::string found_in_words(const TensorStats& stats) {
    return std::to_string(stats.nan) + " NaN and " + std::to_string(stats.inf) + " Inf of " +
           std::to_string(stats.count) + " values";
}

std::string place_in_words(const NumericSample& sample) {
    std::string place = sample.component + " " + sample.site;
    if (sample.phase == Phase::denoise) place = "step " + std::to_string(sample.step + 1) + ", " + place;
    return sample.branch.empty() ? place : place + " (" + sample.branch + ")";
}

/// A component computes in less than float32 somewhere: raising all of it may help.
bool is_lowered(const std::vector<NumericSample>& samples, const std::string& component) {
    return std::any_of(samples.begin(), samples.end(), [&](const NumericSample& sample) {
        return sample.component == component && sample.dtype != "float32";
    });
}

/// The op itself, one rung higher; nullopt: it computes in float32 already.
std::optional<Rung> next_rung(const NumericSample& offender, const PrecisionOverrides& overrides) {
    const Rung now = overrides.rung(offender.component, offender.site);
    if (now == Rung::scaled) return Rung::float32;
    if (now == Rung::float32 || offender.dtype == "float32") return std::nullopt;
    return offender.dtype == "float16" ? Rung::scaled : Rung::float32;
}

}  // namespace

GuardDecision decide(const std::vector<NumericSample>& samples, const PrecisionOverrides& overrides) {
    const NumericSample* offender = first_not_finite(samples);
    if (offender == nullptr) return {};
    const auto retry = [&](const std::string& site, Rung rung) {
        return GuardDecision{GuardDecision::Action::retry, offender,
                             PrecisionOverride{offender->component, site, rung}};
    };
    const auto rung = next_rung(*offender, overrides);
    if (rung && offender->attempt < kMaxAttempts) return retry(offender->site, *rung);
    const bool is_whole = overrides.rung(offender->component, "") == Rung::float32;
    if (!is_whole && is_lowered(samples, offender->component)) return retry("", Rung::float32);
    return {GuardDecision::Action::stop, offender, std::nullopt};
}

GuardActed guard_acted(const GuardDecision& decision) {
    const NumericSample& sample = *decision.offender;
    GuardActed record{.phase = sample.phase,
                      .step = sample.step,
                      .site = sample.component + "." + sample.site,
                      .detector = detector_of(sample),
                      .found = found_in_words(sample.stats),
                      .action = "stop",
                      .before = sample.dtype,
                      .after = sample.dtype,
                      .attempt = sample.attempt,
                      .seconds = 0};
    if (decision.raise) {
        record.action = decision.raise->site.empty() ? "retry, the whole " + sample.component + " in float32" : "retry";
        record.after = decision.raise->rung == Rung::scaled ? sample.dtype + " scaled" : "float32";
    }
    return record;
}

namespace {

std::string hint_for(const NumericSample& sample) {
    const std::string flag = sample.component == "vae"            ? "--vae-dtype"
                             : sample.component == "text_encoder" ? "--text-encoder-dtype"
                                                                  : "--dtype";
    return "Try " + flag + " fp32; if it computes in float32 already, check the model file.";
}

}  // namespace

Error not_finite_error(const NumericSample& sample) {
    return {ErrorCode::not_finite,
            to_string(sample.phase) + ": " + found_in_words(sample.stats) + " at " + place_in_words(sample) +
                ", computed in " + sample.dtype + "; likely an overflow of that type, or a damaged weight",
            hint_for(sample),
            {{"phase", to_string(sample.phase)},
             {"step", std::to_string(sample.step + 1)},
             {"component", sample.component},
             {"site", sample.site},
             {"branch", sample.branch},
             {"dtype", sample.dtype}}};
}

}  // namespace kinescope
