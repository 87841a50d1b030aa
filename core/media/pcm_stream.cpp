#include "core/media/pcm_stream.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "core/api/error.h"

namespace kinescope {
namespace {

std::int64_t samples_of(double seconds) {
    return std::llround(std::max(0.0, seconds) * kPcmRate);
}

}  // namespace

PcmStream::PcmStream(const TrackInput& input) : input_(input) {
    const TrackPlan& plan = input_.plan();
    const double start = plan.use == TrackUse::kept ? plan.offset : plan.settings.start.value_or(0);
    skipped_ = samples_of(start) * kPcmChannels;
    position_ = skipped_;
    wanted_ = samples_of(plan.most_seconds());
    fill();
    if (ahead_.empty() && plan.use == TrackUse::replaced)
        throw Error(ErrorCode::bad_request,
                    fmt::format("the sound of {} ends before its start at {:g} s", plan.file.string(), start),
                    "Choose an earlier start.", {{"path", plan.file.string()}});
    fade_ = {.fade_in = plan.settings.fade_in.value_or(0), .fade_out = plan.settings.fade_out.value_or(0), .end = 0};
    if (fade_.fade_out > 0) fade_.end = std::min(plan.seconds, length_of_sound());
}

/// The length of the sound from its start, which for a file that is not repeated is known only after reading it.
double PcmStream::length_of_sound() {
    if (input_.plan().settings.length == AudioLength::loop) return input_.plan().seconds;
    std::int64_t end = position_;
    while (end - skipped_ < wanted_ * kPcmChannels) {
        const auto part = input_.reader().read_pcm(input_.plan().file, input_.plan().track.stream, end);
        if (part.values.empty()) break;
        end += static_cast<std::int64_t>(part.values.size());
    }
    return static_cast<double>(end - skipped_) / kPcmChannels / kPcmRate;
}

void PcmStream::fill() {
    for (int attempt = 0; attempt < 2 && ahead_.empty() && !is_silent_; ++attempt) {
        ahead_ = input_.reader().read_pcm(input_.plan().file, input_.plan().track.stream, position_).values;
        position_ += static_cast<std::int64_t>(ahead_.size());
        if (!ahead_.empty()) return;
        is_silent_ = input_.plan().settings.length == AudioLength::once || position_ == skipped_;
        position_ = skipped_;
    }
}

bool PcmStream::has_ended() const {
    return played_ >= wanted_ || (is_silent_ && ahead_.empty());
}

std::vector<float> PcmStream::next(int count) {
    const auto values = static_cast<std::size_t>(count) * kPcmChannels;
    std::vector<float> result;
    while (result.size() < values) {
        if (ahead_.empty()) fill();
        if (ahead_.empty()) break;
        const std::size_t taken = std::min(values - result.size(), ahead_.size());
        result.insert(result.end(), ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(taken));
        ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    result.resize(values, 0.0F);
    apply_fade(fade_, result, static_cast<double>(played_), kPcmRate);
    played_ += count;
    return result;
}

}  // namespace kinescope
