#include "core/remote/sendable_frames.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "core/protocol/message.h"

namespace kinescope::remote {

namespace {

constexpr std::size_t kChannels = 3;

std::size_t frame_bytes(const FramePtr& frame) {
    return frame ? frame->pixels.size() : 0;
}

std::size_t reduced_side(int side, int factor) {
    return static_cast<std::size_t>(std::max(1, side / factor));
}

/// The number of bytes after reduce(), of all frames together or of the largest one.
std::size_t bytes_in_message(const PreviewReady& preview, int factor) {
    std::size_t sum = 0;
    std::size_t largest = 0;
    for (const FramePtr& frame : preview.frames) {
        if (!frame) continue;
        const std::size_t bytes = kChannels * reduced_side(frame->width, factor) * reduced_side(frame->height, factor);
        sum += bytes;
        largest = std::max(largest, bytes);
    }
    return preview.kind == PreviewKind::decoded ? largest : sum;
}

void reduce_to_fit(PreviewReady& preview, std::size_t most_bytes) {
    int largest_side = 1;
    for (const FramePtr& frame : preview.frames)
        if (frame) largest_side = std::max({largest_side, frame->width, frame->height});
    int factor = 1;
    while (factor < largest_side && bytes_in_message(preview, factor) > most_bytes) ++factor;
    if (factor == 1) return;
    for (FramePtr& frame : preview.frames)
        if (frame) frame = reduce(*frame, factor);
}

}  // namespace

void require_sendable(const std::vector<FramePtr>& frames) {
    for (const FramePtr& frame : frames) {
        if (frame_bytes(frame) <= most_frame_bytes()) continue;
        const std::string size = std::to_string(frame->width) + " x " + std::to_string(frame->height);
        throw Error(ErrorCode::unsupported, "a frame of " + size + " pixels is too large to be shown",
                    "Use a video with a lower resolution.", {{"size", size}});
    }
}

std::vector<std::vector<FramePtr>> split_frames(const std::vector<FramePtr>& frames) {
    std::vector<std::vector<FramePtr>> groups;
    std::size_t bytes = 0;
    for (const FramePtr& frame : frames) {
        if (groups.empty() || bytes + frame_bytes(frame) > protocol::kFrameBytes) {
            groups.emplace_back();
            bytes = 0;
        }
        groups.back().push_back(frame);
        bytes += frame_bytes(frame);
    }
    return groups;
}

FramePtr reduce(const Frame& frame, int factor) {
    const auto width = static_cast<std::size_t>(frame.width);
    auto small = std::make_shared<Frame>();
    small->width = static_cast<int>(reduced_side(frame.width, factor));
    small->height = static_cast<int>(reduced_side(frame.height, factor));
    small->pixels.reserve(kChannels * reduced_side(frame.width, factor) * reduced_side(frame.height, factor));
    for (int row = 0; row < small->height; ++row)
        for (int column = 0; column < small->width; ++column)
            for (std::size_t channel = 0; channel < kChannels; ++channel) {
                unsigned sum = 0;
                unsigned count = 0;
                for (int y = row * factor; y < std::min((row + 1) * factor, frame.height); ++y)
                    for (int x = column * factor; x < std::min((column + 1) * factor, frame.width); ++x, ++count)
                        sum += frame.pixels[(static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)) *
                                                kChannels +
                                            channel];
                small->pixels.push_back(static_cast<std::uint8_t>((sum + count / 2) / count));
            }
    return small;
}

std::vector<RunEvent> sendable_events(const RunEvent& event, std::size_t most_bytes) {
    const auto* preview = std::get_if<PreviewReady>(&event);
    if (preview == nullptr || preview->frames.empty()) return {event};
    PreviewReady sent = *preview;
    reduce_to_fit(sent, most_bytes);
    if (sent.kind != PreviewKind::decoded) return {std::move(sent)};
    std::vector<RunEvent> parts;
    int first_frame = sent.first_frame;
    for (std::vector<FramePtr>& frames : split_frames(sent.frames)) {
        PreviewReady part = sent;
        part.first_frame = first_frame;
        first_frame += static_cast<int>(frames.size()) * sent.frames_each;
        part.frames = std::move(frames);
        parts.emplace_back(std::move(part));
    }
    return parts;
}

std::size_t most_frame_bytes() {
    constexpr std::size_t kOfOtherFields = 4096;
    return protocol::kLargestMessage - kOfOtherFields;
}

}  // namespace kinescope::remote
