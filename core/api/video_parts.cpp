#include "core/api/video_parts.h"

#include <algorithm>
#include <cmath>

#include "core/api/video_request_json.h"

namespace kinescope {

namespace {

/// Removes what only the first part has: pictures and videos, and the variation of its noise.
void remove_inputs(VideoRequest& request) {
    for (auto* input : {&request.image, &request.last_image, &request.video, &request.mask}) input->reset();
    request.strength.reset();
    request.conditions.clear();
    request.control = ControlSource::ready;
    request.variation_of.reset();
    request.variation_strength.reset();
}

OutputRequest lossless(const OutputRequest& output) {
    OutputRequest kept = without_files(output);
    kept.codec = "ffv1";
    kept.crf.reset();
    return kept;
}

}  // namespace

VideoRequest part_of(const VideoRequest& whole, int part) {
    VideoRequest request = whole;
    request.next_prompts.clear();
    if (part > 0) {
        request.prompt = whole.next_prompts.at(static_cast<std::size_t>(part) - 1);
        if (whole.seed) request.seed = *whole.seed + static_cast<std::uint64_t>(part);
        remove_inputs(request);
    }
    if (part + 1 < num_parts(whole)) {
        request.output = lossless(whole.output);
        request.finish = {};
    }
    return request;
}

VideoRequest whole_of(VideoRequest resolved, const VideoRequest& whole, int part) {
    if (num_parts(whole) == 1) return resolved;
    const std::uint64_t seed = *resolved.seed - static_cast<std::uint64_t>(part);
    resolved.prompt = whole.prompt;
    resolved.next_prompts = whole.next_prompts;
    resolved.image = whole.image;
    resolved.last_image = whole.last_image;
    resolved.video = whole.video;
    resolved.mask = whole.mask;
    if (part > 0) {  // the first part has resolved them
        resolved.strength = whole.strength;
        resolved.conditions = whole.conditions;
        resolved.variation_of = whole.variation_of;
        resolved.variation_strength = whole.variation_strength;
    }
    resolved.control = whole.control;
    resolved.continue_video = whole.continue_video;
    resolved.seed = seed;
    resolved.output = whole.output;
    resolved.finish = whole.finish;
    return resolved;
}

int overlap_frames(const ModelCard& card, int num_frames) {
    constexpr int kMost = 9;
    if (card.continuation == Continuation::last_frame) return 1;
    const int multiple = std::max(1, card.num_frames_multiple);
    const int most = std::min(kMost, num_frames / 2);
    return std::max(1, (most - 1) / multiple * multiple + 1);
}

int whole_frames(const VideoRequest& resolved, const ModelCard& card, int continued_frames) {
    const int frames = *resolved.num_frames;
    const int added = frames - overlap_frames(card, frames);
    return (continued_frames > 0 ? continued_frames + added : frames) + (num_parts(resolved) - 1) * added;
}

std::optional<int> whole_fps(double fps_of_video) {
    if (fps_of_video < 0.5 || fps_of_video >= kMostFps + 0.5) return std::nullopt;
    return static_cast<int>(std::lround(fps_of_video));
}

bool begins_next_part(const VideoRequest& whole, int part, Phase before, Phase next) {
    return before == Phase::save && next == Phase::load && part + 1 < num_parts(whole);
}

}  // namespace kinescope
