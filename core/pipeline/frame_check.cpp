#include "core/pipeline/frame_check.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdlib>

#include "core/api/numeric_error.h"
#include "core/numerics/tensor_stats.h"
#include "core/pipeline/latent_preview.h"

namespace kinescope {

namespace {

NumericFault fault_in(std::string found, ElementType vae_dtype) {
    return {.detector = Detector::frames,
            .phase = Phase::decode,
            .component = "vae",
            .site = "frames",
            .computed = ComputePrecision{vae_dtype},
            .found = std::move(found)};
}

std::string hint_for(ElementType vae_dtype) {
    if (vae_dtype != ElementType::float32) return "Decode in float32: --vae-dtype fp32.";
    return "The VAE computes in float32 already, so its file or the denoiser's is probably damaged: check both with "
           "inspect PATH --weights.";
}

[[noreturn]] void throw_not_finite(const FrameRecord& frame, ElementType vae_dtype) {
    const std::string found = std::to_string(frame.nonfinite) + " values that are not finite";
    const std::string place = "frame " + std::to_string(frame.index + 1);
    throw NumericError(ErrorCode::not_finite, "decode: " + place + " has " + found, hint_for(vae_dtype),
                       fault_in(place + ": " + found, vae_dtype));
}

/// Returns the difference between two frames of the same size.
FrameChange change_between(const Frame& a, const Frame& b) {
    std::int64_t sum = 0;
    int largest = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        const int difference = std::abs(int{a.pixels[i]} - int{b.pixels[i]});
        sum += difference;
        largest = std::max(largest, difference);
    }
    return {.mean = static_cast<double>(sum) / static_cast<double>(a.pixels.size()), .largest = largest};
}

}  // namespace

FrameLevels FrameCheck::count(const FramePtr& picture) {
    const std::vector<ChannelHistogram> channels = channel_histograms(*picture);
    const FrameLevels levels = frame_levels(channels);
    facts_.add(levels);
    facts_.num_values += static_cast<std::int64_t>(picture->pixels.size());
    for (const ChannelHistogram& channel : channels) {
        facts_.num_zeros += channel.front();
        facts_.num_full += channel.back();
    }
    if (last_ && last_->pixels.size() == picture->pixels.size()) facts_.add(change_between(*last_, *picture));
    last_ = picture;
    return levels;
}

CheckedFrames FrameCheck::add(const Tensor& frames) {
    CheckedFrames checked;
    for (std::int64_t i = 0; i < frames.size(0); ++i) {
        const TensorStats stats = compute_stats(frames[i]);
        const FrameRecord record{.index = facts_.num_frames + static_cast<int>(i),
                                 .mean = stats.mean,
                                 .std = stats.std,
                                 .nonfinite = stats.nan + stats.inf,
                                 .black = false};
        if (record.nonfinite > 0) throw_not_finite(record, vae_dtype_);
        checked.records.push_back(record);
    }
    checked.pictures = to_frames(frames);
    for (std::size_t i = 0; i < checked.pictures.size(); ++i)
        checked.records[i].black = is_black(count(checked.pictures[i]));
    return checked;
}

std::vector<Finding> FrameCheck::finish(Evidence evidence) const {
    const auto broken = broken_video(facts_, evidence);
    if (!broken) return find_in_video(facts_);
    throw NumericError(ErrorCode::frames_black, *broken + "; the decoder failed", hint_for(vae_dtype_),
                       fault_in(*broken, vae_dtype_),
                       {{"black", std::to_string(facts_.num_black)}, {"frames", std::to_string(facts_.num_frames)}});
}

}  // namespace kinescope
