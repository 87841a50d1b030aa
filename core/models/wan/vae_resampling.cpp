#include "core/models/wan/vae_resampling.h"

#include <ATen/ATen.h>

#include <array>

namespace kinescope::wan {

namespace {

constexpr std::int64_t kTimeTaps = 3;

/// Reshapes [out, in, 3, 1, 1] to a matrix over the channels of three consecutive frames, oldest first.
Linear time_taps(const WeightScope& scope, std::int64_t channels, const Precision& precision) {
    const auto weight = scope.take("weight", {channels, channels, kTimeTaps, 1, 1});
    return Linear(weight.defined() ? weight.squeeze(-1).squeeze(-1).transpose(1, 2).flatten(1) : weight,
                  scope.take("bias", {channels}), precision);
}

}  // namespace

Upsampler::Upsampler(const WeightScope& scope, const ResamplerConfig& config, const Precision& precision)
    : doubles_time_(config.factors.time > 1),
      conv_(scope / "resample" / 1, {.in = config.in, .out = config.out}, precision) {
    if (doubles_time_)
        time_conv_ = CausalConv3d(scope / "time_conv",
                                  {.in = config.in, .out = 2 * config.in, .kernel_time = kTimeTaps, .kernel_space = 1},
                                  precision);
}

/// Doubles the number of frames: the output channels of time_conv contain two frames. The first chunk stays a single
/// frame and is not cached.
Tensor Upsampler::double_time(const Tensor& frames, ChunkState& state, const OpScope& scope) const {
    if (state.is_first_chunk()) return frames;
    const auto doubled = time_conv_(frames, state.history(&time_conv_), scope.op);
    scope.observe("time_conv", doubled);
    const auto pairs = doubled.unflatten(-1, {2, -1});
    return pairs.permute({0, 3, 1, 2, 4}).flatten(0, 1);
}

Tensor Upsampler::forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const {
    const auto x = doubles_time_ ? double_time(frames, state, scope) : frames;
    const auto y = conv_.enlarged(x, scope.op);
    scope.observe("resample.1", y);
    return y.to(at::kFloat);
}

Downsampler::Downsampler(const WeightScope& scope, const ResamplerConfig& config, const Precision& precision)
    : halves_time_(config.factors.time > 1),
      conv_(scope / "resample" / 1, {.in = config.in, .out = config.out, .stride = 2, .padding = ConvPadding::behind},
            precision) {
    if (halves_time_) time_conv_ = time_taps(scope / "time_conv", config.out, precision);
}

/// Halves the number of frames: convolves every second frame with its neighbors. The first chunk passes unchanged and
/// is only cached.
Tensor Downsampler::halve_time(const Tensor& frames, ChunkState& state, const OpScope& scope) const {
    Tensor& last = state.history(&time_conv_);
    const auto before = last;
    last = frames.slice(0, frames.size(0) - 1).clone();
    if (state.is_first_chunk()) return frames;
    const auto padded = at::cat({before, frames});
    const auto every_second = [&](std::int64_t first) { return padded.slice(0, first, first + frames.size(0) - 1, 2); };
    const auto y = time_conv_(at::cat({every_second(0), every_second(1), every_second(2)}, -1), scope.op);
    scope.observe("time_conv", y);
    return y.to(at::kFloat);
}

Tensor Downsampler::forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const {
    const auto y = conv_(frames, scope.op);
    scope.observe("resample.1", y);
    const auto x = y.to(at::kFloat);
    return halves_time_ ? halve_time(x, state, scope) : x;
}

Tensor shrinking_shortcut(const Tensor& frames, const ResamplerConfig& config) {
    const auto [time, space] = config.factors;
    const auto missing = (time - frames.size(0) % time) % time;
    const auto x = at::constant_pad_nd(frames, {0, 0, 0, 0, 0, 0, missing, 0});
    const auto [t, h, w, c] = std::array{x.size(0) / time, x.size(1) / space, x.size(2) / space, x.size(3)};
    return x.view({t, time, h, space, w, space, c})
        .permute({0, 2, 4, 6, 1, 3, 5})
        .reshape({t, h, w, config.out, -1})
        .mean(-1);
}

Tensor growing_shortcut(const Tensor& frames, const ResamplerConfig& config, const ChunkState& state) {
    const auto [time, space] = config.factors;
    const auto [t, h, w] = std::array{frames.size(0), frames.size(1), frames.size(2)};
    const auto repeats = config.out * time * space * space / config.in;
    const auto x = frames.repeat_interleave(repeats, -1)
                       .view({t, h, w, config.out, time, space, space})
                       .permute({0, 4, 1, 5, 2, 6, 3})
                       .reshape({t * time, h * space, w * space, config.out});
    return state.is_first_chunk() ? x.slice(0, time - 1) : x;
}

Tensor patchify(const Tensor& frames, std::int64_t patch_size) {
    const auto [t, h, w] = std::array{frames.size(0), frames.size(1) / patch_size, frames.size(2) / patch_size};
    return frames.reshape({t, h, patch_size, w, patch_size, 3}).permute({0, 1, 3, 5, 4, 2}).reshape({t, h, w, -1});
}

Tensor unpatchify(const Tensor& frames, std::int64_t patch_size) {
    const auto split = frames.unflatten(-1, {-1, patch_size, patch_size});
    return split.permute({0, 1, 5, 2, 4, 3}).flatten(3, 4).flatten(1, 2);
}

}  // namespace kinescope::wan
