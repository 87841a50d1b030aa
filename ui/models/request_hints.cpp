#include "ui/models/request_hints.h"

#include <algorithm>
#include <cmath>

namespace kinescope::ui {
namespace {

// Factors beyond which models usually fail visibly.
constexpr double kAreaFactor = 1.6;
constexpr double kShapeFactor = 1.5;
constexpr double kLongFactor = 1.5;
constexpr double kShortFactor = 3;
constexpr double kRateFactor = 1.5;
constexpr double kHighGuidance = 12;
/// Models with fewer default steps are distilled.
constexpr int kDistilledSteps = 8;

double areaOf(Size size) {
    return static_cast<double>(size.width) * size.height;
}

double shapeOf(Size size) {
    return static_cast<double>(size.width) / std::max(1, size.height);
}

/// Returns the larger of the ratios a / b and b / a.
double distance(double a, double b) {
    return std::max(a / b, b / a);
}

/// Returns the sizes that the model card offers, or only its default size.
std::vector<Size> trainedSizes(const ModelCard& card) {
    return card.sizes.empty() ? std::vector{card.default_size} : card.sizes;
}

class Hints {
public:
    Hints(const VideoRequest& request, const ModelCard& card) : request_(request), card_(card) {}

    std::vector<RequestHint> run() && {
        checkSize({request_.width.value_or(0), request_.height.value_or(0)});
        checkFrames(request_.num_frames.value_or(1));
        checkRate(request_.fps.value_or(card_.default_fps));
        checkSteps(request_.num_inference_steps.value_or(card_.default_num_inference_steps));
        if (request_.guidance_scale.value_or(0) > kHighGuidance)
            hints_.push_back({.field = "guidance_scale", .code = HintCode::highGuidance});
        return std::move(hints_);
    }

private:
    void checkSize(Size size) {
        if (size.width <= 0 || size.height <= 0) return;
        const std::vector<Size> trained = trainedSizes(card_);
        const auto [least, most] = std::ranges::minmax(trained, {}, areaOf);
        const auto shape = [&](Size known) { return distance(shapeOf(size), shapeOf(known)); };
        const Size nearest = *std::ranges::min_element(trained, {}, shape);
        const auto warn = [&](HintCode code) { hints_.push_back({.field = "size", .code = code, .size = nearest}); };
        if (areaOf(size) > kAreaFactor * areaOf(most)) return warn(HintCode::largeFrame);
        if (areaOf(size) * kAreaFactor < areaOf(least)) return warn(HintCode::smallFrame);
        if (shape(nearest) > kShapeFactor) warn(HintCode::otherShape);
    }

    /// Compares the number of frames with the model's default. A single frame is an image and gets no hint.
    void checkFrames(int frames) {
        const auto warn = [&](HintCode code) {
            hints_.push_back({.field = "num_frames", .code = code, .value = card_.default_num_frames});
        };
        if (frames > kLongFactor * card_.default_num_frames) warn(HintCode::longVideo);
        if (frames > 1 && frames * kShortFactor < card_.default_num_frames) warn(HintCode::shortVideo);
    }

    void checkRate(int fps) {
        if (fps <= 0 || distance(fps, card_.default_fps) <= kRateFactor) return;
        hints_.push_back({.field = "fps",
                          .code = fps > card_.default_fps ? HintCode::fastPlayback : HintCode::slowPlayback,
                          .value = card_.default_fps});
    }

    /// Adds a hint for few steps. Does nothing if the request has a LoRA, because it may be distilled for few steps.
    void checkSteps(int steps) {
        const int normal = card_.default_num_inference_steps;
        const int enough = normal > kDistilledSteps ? std::max(4, normal / 4) : (normal + 1) / 2;
        if (steps < enough && request_.loras.empty())
            hints_.push_back({.field = "num_inference_steps", .code = HintCode::fewSteps, .value = normal});
    }

    const VideoRequest& request_;
    const ModelCard& card_;
    std::vector<RequestHint> hints_;
};

}  // namespace

std::vector<RequestHint> requestHints(const VideoRequest& request, const ModelCard& card) {
    return Hints(request, card).run();
}

void applyHint(VideoRequest& request, const RequestHint& hint) {
    if (hint.field == "size") {
        request.width = hint.size.width;
        request.height = hint.size.height;
    }
    if (hint.field == "num_frames") request.num_frames = hint.value;
    if (hint.field == "fps") request.fps = hint.value;
    if (hint.field == "num_inference_steps") request.num_inference_steps = hint.value;
}

int nearestFrames(int frames, const ModelCard& card) {
    const int multiple = std::max(1, card.num_frames_multiple);
    const int offset = card.num_frames_offset;
    if (frames <= 1) return 1;
    const int least = offset == 0 ? multiple : offset;
    const int most = std::max(least, (card.max_num_frames - offset) / multiple * multiple + offset);
    const int rounded = (frames - offset + multiple / 2) / multiple * multiple + offset;
    return std::clamp(rounded, least, most);
}

}  // namespace kinescope::ui
