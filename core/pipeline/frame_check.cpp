#include "core/pipeline/frame_check.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/numerics/tensor_stats.h"

namespace kinescope {

namespace {

constexpr double kBlackMean = 2.0 / 255;
constexpr double kBlackStd = 1.0 / 255;
constexpr double kGreyMean = 127.0 / 255;
constexpr double kGreyReach = 2.0 / 255;

[[noreturn]] void throw_not_finite(const FrameRecord& frame) {
    const std::string found = std::to_string(frame.nonfinite) + " values that are not finite";
    throw Error(ErrorCode::not_finite, "decode: frame " + std::to_string(frame.index + 1) + " has " + found,
                "Decode in float32: --vae-dtype fp32; with --guard heal that is done where it is needed.",
                {{"phase", "decode"},
                 {"step", "1"},
                 {"detector", "S9"},
                 {"site", "frames"},
                 {"component", "vae"},
                 {"found", "frame " + std::to_string(frame.index + 1) + ": " + found}});
}

}  // namespace

void FrameCheck::count(const Tensor& frame, const TensorStats& stats) {
    const std::int64_t zeros = stats.count - at::count_nonzero(frame).item<std::int64_t>();
    facts_.num_single += stats.min == stats.max ? 1 : 0;
    facts_.num_grey += std::abs(stats.mean - kGreyMean) <= kGreyReach && stats.std < kGreyReach ? 1 : 0;
    facts_.num_frozen += last_.defined() && last_.equal(frame) ? 1 : 0;
    facts_.num_values += stats.count;
    facts_.num_zeros += zeros;
    facts_.num_ends += zeros + frame.eq(1.0).sum().item<std::int64_t>();
    last_ = frame;
}

std::vector<FrameRecord> FrameCheck::add(const Tensor& frames) {
    std::vector<FrameRecord> records;
    for (std::int64_t i = 0; i < frames.size(0); ++i) {
        const Tensor frame = frames[i];
        const TensorStats stats = compute_stats(frame);
        FrameRecord record{.index = facts_.num_frames++,
                           .mean = stats.mean,
                           .std = stats.std,
                           .nonfinite = stats.nan + stats.inf,
                           .black = false};
        if (record.nonfinite > 0) throw_not_finite(record);
        record.black = stats.mean < kBlackMean && stats.std < kBlackStd;
        facts_.num_black += record.black ? 1 : 0;
        count(frame, stats);
        records.push_back(record);
    }
    return records;
}

std::vector<Finding> FrameCheck::finish(Evidence evidence) const {
    const auto broken = broken_video(facts_, evidence);
    if (!broken) return find_in_video(facts_);
    throw Error(ErrorCode::frames_black, *broken + "; the decoder failed", "Decode again in float32: --vae-dtype fp32.",
                {{"phase", "decode"},
                 {"step", "1"},
                 {"detector", "S9"},
                 {"site", "frames"},
                 {"component", "vae"},
                 {"found", *broken},
                 {"black", std::to_string(facts_.num_black)},
                 {"frames", std::to_string(facts_.num_frames)}});
}

}  // namespace kinescope
