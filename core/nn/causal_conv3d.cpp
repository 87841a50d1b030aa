#include "core/nn/causal_conv3d.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/nn/cpu/linear_product.h"
#include "core/nn/cpu/plain_floats.h"
#include "core/nn/shadow.h"

namespace kinescope {

namespace {

/// Larger chunks are convolved frame by frame, to limit the memory for stacked frames.
constexpr std::int64_t kMaxStackedBytes = std::int64_t{256} << 20;

std::int64_t first_used_tap(const Tensor& weight) {
    const auto last = weight.size(2) - 1;
    for (std::int64_t tap = 0; tap < last; ++tap)
        if (weight.select(2, tap).count_nonzero().item<std::int64_t>() > 0) return tap;
    return last;
}

}  // namespace

CausalConv3d::CausalConv3d(const WeightScope& scope, const CausalConv3dConfig& config, const Precision& precision)
    : pointwise_(config.kernel_space == 1), past_(config.past) {
    const auto weight =
        scope.take("weight", {config.out, config.in, config.kernel_time, config.kernel_space, config.kernel_space});
    const auto bias = scope.take("bias", {config.out});
    if (!weight.defined()) return;
    const auto used = weight.slice(2, first_used_tap(weight));
    taps_ = used.size(2);
    if (pointwise_)
        linear_ = Linear(used.transpose(1, 2).flatten(1), bias, precision);
    else
        conv_ = Conv2d(used, bias, precision, scope.path("weight"));
    if (!conv_.is_for_winograd()) scope.release_pages();  // the reordered taps are a copy
}

Tensor CausalConv3d::operator()(const Tensor& frames, Tensor& history, const OpPrecision& wanted) const {
    const OpPrecision op = pointwise_ ? linear_.fit(wanted) : conv_.fit(wanted);
    const auto now = frames.to(pointwise_ ? linear_.input_dtype(op) : conv_.input_dtype(op)).contiguous();
    auto window = past(now, history);
    for (const auto& frame : now.unbind(0)) window.push_back(frame);
    if (taps_ > 1) history = last_frames(now, history);
    if (!pointwise_ && conv_.takes_windows(now, op)) return conv_.over_windows(window);
    if (taps_ == 1) return convolve(now, op);
    const auto bytes = now.numel() * taps_ * static_cast<std::int64_t>(now.element_size());
    if (bytes <= kMaxStackedBytes) return convolve(stack_taps(window, 0, now.size(0)), op);
    std::vector<Tensor> results;
    for (std::int64_t frame = 0; frame < now.size(0); ++frame)
        results.push_back(convolve(stack_taps(window, frame, 1), op));
    return at::cat(results);
}

/// Copies the part of the input before the convolution, which replaces the history.
Tensor CausalConv3d::shadowed(const char* inner, const Tensor& frames, Tensor& history, const OpScope& scope) const {
    const auto input = scope.wants_shadow(inner) ? input_of_first_middle(frames, history) : Tensor();
    const auto y = (*this)(frames, history, scope.op);
    if (input.defined()) scope.shadow(inner, y, [&] { return shadow_of_middle(conv_, input, y, scope.op); });
    return y;
}

/// Returns input_of_middle() of the first result, with the taps stacked along the channels.
Tensor CausalConv3d::input_of_first_middle(const Tensor& frames, const Tensor& history) const {
    const auto first = input_of_middle(conv_, frames.narrow(0, 0, 1));
    auto window = past(first, history.defined() ? input_of_middle(conv_, history) : history);
    window.push_back(first[0]);
    return stack_taps(window, 0, 1);
}

Tensor CausalConv3d::centered(const Tensor& frames, const OpPrecision& op) const {
    if (taps_ == 3 && is_plain(frames) && op == OpPrecision{} && linear_.weight().is_cpu()) return sum_of_taps(frames);
    // Shifted by one frame, the causal convolution covers the previous, the current and the next frame.
    Tensor history;
    const auto padded = at::cat({frames, at::zeros_like(frames.narrow(0, 0, 1))});
    return (*this)(padded, history, op).narrow(0, 1, frames.size(0));
}

/// Adds one matrix product per temporal tap, over the frames that the tap covers. Does not concatenate frames.
Tensor CausalConv3d::sum_of_taps(const Tensor& frames) const {
    const auto in = frames.size(3), count = frames.size(0);
    const Tensor weight = linear_.weight();
    const auto tap = [&](std::int64_t index) { return weight.narrow(1, index * in, in); };
    const auto rows = [](const Tensor& of, std::int64_t first, std::int64_t number) {
        return of.narrow(0, first, number).flatten(0, 2);
    };
    const auto sum = linear_product(frames, tap(1), linear_.bias());
    if (count == 1) return sum;
    add_linear_product(rows(sum, 1, count - 1), rows(frames, 0, count - 1), tap(0));
    add_linear_product(rows(sum, 0, count - 1), rows(frames, 1, count - 1), tap(2));
    return sum;
}

/// Before the start of the video, the past consists of zeros or of copies of the first frame.
std::vector<Tensor> CausalConv3d::past(const Tensor& frames, const Tensor& history) const {
    // The guard may have raised this op after the history was stored, so convert the history to the current dtype.
    const auto known = history.defined() ? history.to(frames.scalar_type()).unbind(0) : std::vector<Tensor>();
    const auto missing = static_cast<std::size_t>(taps_ - 1) - known.size();
    const auto oldest = known.empty() ? frames[0] : known.front();
    std::vector<Tensor> past(missing, past_ == Past::zeros ? Tensor() : oldest);
    past.insert(past.end(), known.begin(), known.end());
    return past;
}

Tensor CausalConv3d::last_frames(const Tensor& frames, const Tensor& history) const {
    const auto wanted = taps_ - 1 - frames.size(0);
    if (wanted <= 0) return frames.slice(0, -(taps_ - 1)).clone();
    if (!history.defined()) return frames.clone();
    const auto known = history.to(frames.scalar_type());
    return at::cat({known.slice(0, std::max<std::int64_t>(known.size(0) - wanted, 0)), frames});
}

Tensor CausalConv3d::stack_taps(const std::vector<Tensor>& window, std::int64_t first, std::int64_t count) const {
    const auto& like = window.back();
    const auto channels = like.size(2);
    const auto stacked = at::empty({count, like.size(0), like.size(1), taps_ * channels}, like.options());
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t tap = 0; tap < taps_; ++tap) {
            auto place = stacked[i].narrow(-1, tap * channels, channels);
            const auto& frame = window[static_cast<std::size_t>(first + i + tap)];
            if (frame.defined())
                place.copy_(frame);
            else
                place.zero_();
        }
    return stacked;
}

Tensor CausalConv3d::convolve(const Tensor& stacked, const OpPrecision& op) const {
    return pointwise_ ? linear_(stacked, op) : conv_(stacked, op);
}

}  // namespace kinescope
