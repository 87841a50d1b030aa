#include "core/finish/frame_finisher.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/api/error.h"
#include "core/finish/pictures.h"
#include "core/media/sink_checks.h"

namespace kinescope {
namespace {

/// A result frame is a copy of a source frame if it is closer to it than this share of the gap between source frames.
constexpr double kAtSource = 1e-6;

Precision float32_on(const Device& device) {
    return {.device = device, .storage = at::kFloat, .compute = at::kFloat};
}

/// Shrinks an enlarged picture [1, H, W, 3] with antialiasing.
Tensor shrunk(const Tensor& picture, std::int64_t height, std::int64_t width) {
    if (picture.size(1) == height && picture.size(2) == width) return picture;
    const Tensor nchw = picture.permute({0, 3, 1, 2}).contiguous();
    return at::_upsample_bilinear2d_aa(nchw, {height, width}, false).permute({0, 2, 3, 1}).contiguous();
}

/// The networks and the comparison of frames rely on one size.
void check_size(const Frame& frame, const FinishSource& source, int number) {
    if (frame.width == source.width && frame.height == source.height) return;
    throw Error(ErrorCode::file_unreadable,
                "frame " + std::to_string(number) + " has " + size_text(frame.width, frame.height) +
                    ", but the video has " + size_text(source.width, source.height),
                "All frames must have the same size.");
}

}  // namespace

FinishNetworks load_networks(const FinishSteps& steps, const Device& device) {
    FinishNetworks networks{.device = device, .upscaler = {}, .interpolator = {}};
    if (!steps.upscaler.empty()) networks.upscaler = load_upscaler(steps.upscaler, float32_on(device));
    if (!steps.interpolator.empty()) networks.interpolator = load_interpolator(steps.interpolator, float32_on(device));
    return networks;
}

int network_scale(const FinishNetworks& networks) {
    return networks.upscaler ? networks.upscaler->network->scale() : 1;
}

FrameFinisher::FrameFinisher(FinishPlan plan, FinishNetworks networks, TileSize tiles, FinishHooks hooks,
                             const SavedStart& saved)
    : plan_(std::move(plan)), hooks_(std::move(hooks)), timeline_(plan_.frames_per_unit), saved_(saved) {
    if (networks.upscaler) upscaler_.emplace(networks.upscaler->network, networks.device, tiles);
    if (networks.interpolator) interpolator_.emplace(networks.interpolator->network, networks.device);
}

/// Positions never go back, whatever the times of the file.
FrameFinisher::Source FrameFinisher::described(const FramePtr& frame, double seconds) {
    check_size(*frame, plan_.source, num_taken_ + 1);
    const double step = 1 / plan_.source.rate.value();
    if (!start_) start_ = std::isfinite(seconds) ? seconds : 0;
    const bool is_even = plan_.source.timing == FrameTiming::constant;
    double position = is_even ? num_taken_ : seconds - *start_;
    if (!std::isfinite(position)) position = last_ ? last_->position + step : 0;
    if (last_) position = std::max(position, last_->position);
    return {.frame = frame, .levels = levels_of(*frame), .position = position};
}

/// Returns the picture of a frame, float32 [1, H, W, 3]; enlarged if the plan upscales first.
const Tensor& FrameFinisher::picture_of_source(Source& source) {
    if (source.picture.defined()) return source.picture;
    source.picture = picture_of(*source.frame);
    if (upscales(FinishOrder::upscale_first)) source.picture = enlarged(source.picture);
    return source.picture;
}

void FrameFinisher::push(const FramePtr& frame, double seconds) {
    Source next = described(frame, seconds);
    ++num_taken_;
    if (last_) write_between(next);
    last_ = std::move(next);
}

void FrameFinisher::write_between(Source& next) {
    const FrameStep step = interpolator_ ? step_between(*last_->frame, *next.frame) : FrameStep::none;
    if (step == FrameStep::scene_cut) ++num_scene_cuts_;
    for (const double way : timeline_.between(last_->position, next.position)) {
        if (is_saved()) continue;
        if (way <= kAtSource || step != FrameStep::motion) {
            write_last();
            continue;
        }
        const FrameLevels& fainter = last_->levels.std < next.levels.std ? last_->levels : next.levels;
        write(interpolated(next, way), fainter, ComputedBy::interpolator);
    }
}

/// The last of unevenly spaced frames is shown, although it is rarely on the grid of the result.
void FrameFinisher::end() {
    const bool is_uneven = plan_.source.timing == FrameTiming::variable;
    if (last_ && (is_uneven || timeline_.is_due(last_->position)) && !is_saved()) write_last();
}

void FrameFinisher::write_last() {
    write(picture_of_source(*last_), last_->levels, ComputedBy::upscaler);
}

/// Returns true for a frame of the result that exists already, and counts it.
bool FrameFinisher::is_saved() {
    if (num_written_ >= saved_.num_frames) return false;
    hooks_.between_parts();
    ++num_written_;
    return true;
}

void FrameFinisher::give_to_interpolator(Source& source) {
    if (!source.is_encoded) interpolator_->push(picture_of_source(source).permute({0, 3, 1, 2}).contiguous());
    source.is_encoded = true;
}

Tensor FrameFinisher::interpolated(Source& next, double way) {
    give_to_interpolator(*last_);
    give_to_interpolator(next);
    const Tensor frame = interpolator_->at(way, [this](int, const FlowState&) { hooks_.between_parts(); });
    const Tensor picture = frame.to(at::kCPU).permute({0, 2, 3, 1}).contiguous();
    check_finite(picture, ComputedBy::interpolator, num_written_ + 1);
    return picture;
}

Tensor FrameFinisher::enlarged(const Tensor& picture) {
    const Tensor result = upscaler_->enlarge(picture, hooks_.between_parts);
    check_finite(result, ComputedBy::upscaler, num_written_ + 1);
    return shrunk(result, plan_.height, plan_.width);
}

void FrameFinisher::write(const Tensor& picture, const FrameLevels& source, ComputedBy step) {
    hooks_.between_parts();
    if (!shown_.defined() || !shown_.is_same(picture)) {
        const Tensor result = upscales(FinishOrder::interpolate_first) ? enlarged(picture) : picture;
        shown_ = picture;
        shown_frame_ = frame_of(result);
        check_contrast(source, levels_of(*shown_frame_), step, num_written_ + 1);
    }
    hooks_.write(shown_frame_);
    ++num_written_;
}

}  // namespace kinescope
