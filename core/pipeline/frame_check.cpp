#include "core/pipeline/frame_check.h"

#include <ATen/ATen.h>

#include "core/numerics/tensor_stats.h"

namespace kinescope {

namespace {

constexpr double kBlackMean = 2.0 / 255;
constexpr double kBlackStd = 1.0 / 255;

[[noreturn]] void throw_not_finite(const FrameRecord& frame) {
    throw Error(ErrorCode::not_finite,
                "decode: frame " + std::to_string(frame.index + 1) + " has " + std::to_string(frame.nonfinite) +
                    " values that are not finite",
                "Decode in float32: --vae-dtype fp32.",
                {{"phase", "decode"}, {"site", "frames"}, {"component", "vae"}});
}

}  // namespace

std::vector<FrameRecord> FrameCheck::add(const Tensor& frames) {
    std::vector<FrameRecord> records;
    for (std::int64_t i = 0; i < frames.size(0); ++i) {
        const Tensor frame = frames[i];
        const TensorStats stats = compute_stats(frame);
        FrameRecord record{.index = num_frames_++,
                           .mean = stats.mean,
                           .std = stats.std,
                           .nonfinite = stats.nan + stats.inf,
                           .black = false};
        record.black = stats.mean < kBlackMean && stats.std < kBlackStd;
        if (record.nonfinite > 0) throw_not_finite(record);
        num_black_ += record.black ? 1 : 0;
        num_flat_ += stats.min == stats.max ? 1 : 0;
        num_values_ += stats.count;
        num_zeros_ += stats.count - at::count_nonzero(frame).item<std::int64_t>();
        records.push_back(record);
    }
    return records;
}

void FrameCheck::finish() const {
    const bool mostly_black = num_frames_ > 0 && num_black_ > 0.9 * num_frames_;
    const bool exactly_zero = num_zeros_ > 0.99 * static_cast<double>(num_values_);
    const bool mostly_flat = num_frames_ > 0 && num_flat_ > 0.9 * num_frames_;
    const bool black = mostly_black && exactly_zero;
    if (!black && !mostly_flat) return;
    const std::string count = std::to_string(black ? num_black_ : num_flat_);
    throw Error(ErrorCode::frames_black,
                count + " of " + std::to_string(num_frames_) + " frames are exactly " + (black ? "black" : "one grey") +
                    "; the decoder failed",
                "Decode again in float32: --vae-dtype fp32.",
                {{"black", count}, {"frames", std::to_string(num_frames_)}});
}

}  // namespace kinescope
