#include "core/finish/finish_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/api/error.h"

namespace kinescope {
namespace {

constexpr FrameRate kUsualRate{8, 1};
constexpr int kLongestSide = 16384;
constexpr double kFastestRate = 240;
/// Interpolation of a 4096 x 2304 px frame takes about 4 GiB.
constexpr std::int64_t kLargestInterpolated = std::int64_t{4096} * 2304;

FrameRate times(const FrameRate& rate, int factor) {
    const int common = std::gcd(rate.den, factor);
    return {rate.num * (factor / common), rate.den / common};
}

int enlargement(const FinishSteps& steps, int network_scale) {
    if (steps.upscaler.empty()) return 1;
    const int wanted = steps.upscale_factor.value_or(network_scale);
    if (wanted <= network_scale) return wanted;
    throw Error(ErrorCode::bad_request,
                "upscale_factor is " + std::to_string(wanted) + ", but " + steps.upscaler.string() + " enlarges by " +
                    std::to_string(network_scale),
                "Leave upscale_factor out, or choose an upscaler with a larger factor.",
                {{"upscale_factor", std::to_string(network_scale)}});
}

FrameRate rate_of_result(const FinishSource& source, const FinishSteps& steps) {
    if (steps.interpolator.empty()) return source.rate;
    if (steps.interpolation_fps) return {*steps.interpolation_fps, 1};
    return times(source.rate, steps.interpolation_factor.value_or(2));
}

void check_result(const FinishPlan& plan) {
    if (std::max(plan.width, plan.height) > kLongestSide)
        throw Error(ErrorCode::bad_request,
                    "the result would have " + std::to_string(plan.width) + " x " + std::to_string(plan.height) +
                        " px; the limit is 16384 px on each side",
                    "Set a smaller upscale_factor.");
    if (plan.rate.value() > kFastestRate)
        throw Error(ErrorCode::bad_request,
                    "the result would have " + std::to_string(std::lround(plan.rate.value())) +
                        " frames per second; the limit is 240",
                    "Set interpolation_fps or a smaller interpolation_factor.");
}

}  // namespace

FinishPlan plan_finish(const FinishSource& source, const FinishSteps& steps, int network_scale) {
    FinishPlan plan{.source = source, .steps = steps, .network_scale = network_scale};
    if (!(plan.source.rate.value() > 0)) plan.source.rate = kUsualRate;
    const int factor = enlargement(steps, network_scale);
    plan.width = source.width * factor;
    plan.height = source.height * factor;
    plan.rate = rate_of_result(plan.source, steps);
    const bool is_even = source.timing == FrameTiming::constant;
    const double ratio = plan.rate.value() / plan.source.rate.value();
    plan.frames_per_unit = is_even ? ratio : plan.rate.value();
    plan.num_frames =
        source.num_frames < 1 ? 0 : static_cast<int>(std::floor((source.num_frames - 1) * ratio + 1e-3)) + 1;
    const std::int64_t enlarged = std::int64_t{source.width} * network_scale * source.height * network_scale;
    if (enlarged > kLargestInterpolated) plan.order = FinishOrder::interpolate_first;
    check_result(plan);
    return plan;
}

}  // namespace kinescope
