#include "core/numerics/numerics_guard.h"

#include <algorithm>

namespace kinescope {

const NumericSample* first_not_finite(const Samples& samples) {
    const auto found = std::ranges::find_if_not(samples, &NumericSample::is_finite);
    return found == samples.end() ? nullptr : &*found;
}

namespace {

/// Returns true if some op of the component computes in a dtype below float32, so that raising the component may help.
bool is_lowered(const Samples& samples, const std::string& component) {
    return std::ranges::any_of(samples, [&](const NumericSample& sample) {
        return sample.component == component && sample.precision.dtype != ElementType::float32;
    });
}

GuardDecision raise_to(const NumericSample& offender, const std::string& site, PrecisionLevel level) {
    return {GuardDecision::Action::raise, &offender, PrecisionOverride{offender.component, site, level}};
}

}  // namespace

std::optional<PrecisionLevel> next_level(const NumericSample& sample) {
    if (sample.precision.dtype == ElementType::float32) return std::nullopt;
    const ComputePrecision plain_float16{.dtype = ElementType::float16};
    return sample.precision == plain_float16 ? PrecisionLevel::scaled : PrecisionLevel::float32;
}

PrecisionLevel raised_level(const NumericSample& sample) {
    return next_level(sample).value_or(PrecisionLevel::float32);
}

GuardDecision decide(const GuardInput& input) {
    using enum GuardDecision::Action;
    const NumericSample* offender = first_not_finite(input.samples);
    if (offender == nullptr) return {};
    const bool is_vague = input.watch != Watch::ops || input.kernels == Kernels::varying;
    if (is_vague && input.failures == 0) return {repeat, offender, std::nullopt};
    if (input.half_accumulation == HalfAccumulation::allowed) return {safe_switches, offender, std::nullopt};
    const auto level = next_level(*offender);
    if (level && input.failures < kMaxAttempts) return raise_to(*offender, offender->site, *level);
    const bool is_whole = input.overrides.level_of_all(offender->component) == PrecisionLevel::float32;
    if (!is_whole && is_lowered(input.samples, offender->component))
        return raise_to(*offender, "", PrecisionLevel::float32);
    return {stop, offender, std::nullopt};
}

}  // namespace kinescope
