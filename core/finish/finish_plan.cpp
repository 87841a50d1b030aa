#include "core/finish/finish_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/api/error.h"
#include "core/media/frame_sink.h"

namespace kinescope {
namespace {

constexpr int kLongestSide = 16384;
constexpr double kFastestRate = 240;
constexpr double kMostFrames = 1e7;
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

/// A higher rate would shorten a video of one frame, because there are no frames to add.
bool interpolates(const FinishSource& source) {
    return source.num_frames > 1;
}

FrameRate rate_of_result(const FinishSource& source, const FinishSteps& steps) {
    if (steps.interpolator.empty() || !interpolates(source)) return source.rate;
    if (steps.interpolation_fps) return {*steps.interpolation_fps, 1};
    return times(source.rate, steps.interpolation_factor.value_or(2));
}

/// The upscaler returns whole pictures of its own factor, whatever factor is wanted.
void check_size(const FinishSource& source, int network_scale) {
    const std::int64_t width = std::int64_t{source.width} * network_scale;
    const std::int64_t height = std::int64_t{source.height} * network_scale;
    if (std::max(width, height) <= kLongestSide) return;
    const std::string size = std::to_string(width) + " x " + std::to_string(height) + " px";
    const std::string limit = "; the limit is 16384 px on each side";
    if (network_scale == 1)
        throw Error(ErrorCode::bad_request, "the frames have " + size + limit, "Choose a smaller video.");
    throw Error(ErrorCode::bad_request,
                "the upscaler enlarges by " + std::to_string(network_scale) + ", to " + size + limit,
                "Choose an upscaler with a smaller factor.");
}

/// The last of unevenly spaced frames is shown, although it is rarely on the grid of the result.
double frames_of_result(const FinishPlan& plan) {
    constexpr double kRounding = 1e-3;
    const FinishSource& source = plan.source;
    if (source.num_frames < 1) return 0;
    if (source.timing == FrameTiming::variable && source.span > 0)
        return std::ceil(source.span * plan.rate.value() - kRounding) + 1;
    const double ratio = plan.rate.value() / source.rate.value();
    return std::floor((source.num_frames - 1) * ratio + kRounding) + 1;
}

int checked_frames(double frames) {
    if (frames <= kMostFrames) return static_cast<int>(frames);
    throw Error(ErrorCode::bad_request,
                "the result would have " + std::to_string(std::llround(std::min(frames, 1e18))) +
                    " frames; the limit is 10000000",
                "Set a smaller interpolation_fps or interpolation_factor, or cut the video. If it is short, the times "
                "in the file are probably damaged.");
}

void check_rate(const FinishPlan& plan) {
    if (plan.rate.value() > kFastestRate)
        throw Error(ErrorCode::bad_request,
                    "the result would have " + std::to_string(std::lround(plan.rate.value())) +
                        " frames per second; the limit is 240",
                    "Set interpolation_fps or a smaller interpolation_factor.");
}

}  // namespace

FinishPlan plan_finish(const FinishSource& source, const FinishSteps& steps, int network_scale) {
    FinishPlan plan{.source = source, .steps = steps, .network_scale = network_scale};
    if (!(plan.source.rate.value() > 0)) plan.source.rate = kAssumedRate;
    const int factor = enlargement(steps, network_scale);
    check_size(source, network_scale);
    plan.width = source.width * factor;
    plan.height = source.height * factor;
    plan.rate = rate_of_result(plan.source, steps);
    const bool is_even = source.timing == FrameTiming::constant;
    const double ratio = plan.rate.value() / plan.source.rate.value();
    plan.frames_per_unit = is_even ? ratio : plan.rate.value();
    check_rate(plan);
    plan.num_frames = checked_frames(frames_of_result(plan));
    const std::int64_t enlarged = std::int64_t{source.width} * network_scale * source.height * network_scale;
    if (enlarged > kLargestInterpolated) plan.order = FinishOrder::interpolate_first;
    return plan;
}

void check_format(const FinishPlan& plan, const std::filesystem::path& output) {
    if (output_kind(output) != OutputKind::gif || plan.rate.value() <= kFastestGif) return;
    throw Error(ErrorCode::bad_request,
                "the result would have " + std::to_string(std::lround(plan.rate.value())) +
                    " frames per second; GIF holds at most " + std::to_string(kFastestGif),
                "Set a smaller interpolation_fps or interpolation_factor, or choose .mp4 for the result.");
}

}  // namespace kinescope
