#include "core/finish/result_check.h"

#include <ATen/ATen.h>

#include "core/api/numeric_error.h"

namespace kinescope {
namespace {

/// Deviation of a frame that shows something. Below, a flat result may be right.
constexpr double kLeastContrast = 8;
/// Share of the contrast that must be left.
constexpr double kLeastShare = 0.1;

const char* name_of(ComputedBy step) {
    return step == ComputedBy::upscaler ? "upscaler" : "interpolator";
}

[[noreturn]] void throw_fault(ErrorCode code, const std::string& found, ComputedBy step, int number) {
    const std::string name = name_of(step);
    throw NumericError(code, "frame " + std::to_string(number) + " of the " + name + " " + found,
                       "The file of the " + name +
                           " is probably damaged: download it again, or choose another one. The source is unchanged.",
                       {.detector = Detector::frames,
                        .phase = Phase::decode,
                        .component = name,
                        .site = "frames",
                        .found = "frame " + std::to_string(number) + " " + found});
}

}  // namespace

FrameLevels levels_of(const Frame& frame) {
    return frame_levels(channel_histograms(frame));
}

void check_finite(const Tensor& picture, ComputedBy step, int number) {
    const auto invalid = at::isfinite(picture).logical_not().sum().item<std::int64_t>();
    if (invalid > 0)
        throw_fault(ErrorCode::not_finite, "has " + std::to_string(invalid) + " values that are not finite", step,
                    number);
}

void check_contrast(const FrameLevels& source, const FrameLevels& result, ComputedBy step, int number) {
    if (!(source.std >= kLeastContrast) || result.std >= kLeastShare * source.std) return;
    throw_fault(ErrorCode::frames_black,
                is_black(result) ? "is black, but its source is not" : "has a single color, but its source does not",
                step, number);
}

}  // namespace kinescope
