#include "core/nn/norm_silu.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "core/base/round_up.h"
#include "core/device/cuda/fused_kernels.h"
#include "core/nn/cpu/plain_floats.h"
#include "core/nn/cpu/silu_kernels.h"

namespace kinescope {

namespace {

/// Returns [2, C] in double: for each channel of the pixels [P, C], the means of x - center and of (x - center)^2. Adds
/// parts of fixed size in order, so that the number of threads does not change the result.
Tensor moments(const Tensor& pixels, const Tensor& center) {
    const auto count = pixels.size(0), channels = pixels.size(1), part = rows_at_once(channels);
    const auto parts = at::zeros({count_parts(count, part), 2, channels}, at::kDouble);
    const float* const from = pixels.const_data_ptr<float>();
    double* const sums = parts.mutable_data_ptr<double>();
    at::parallel_for(0, parts.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = begin; i < end; ++i)
            silu_kernels::add_moments(from + i * part * channels, std::min(part, count - i * part), channels,
                                      center.const_data_ptr<float>(), sums + 2 * i * channels,
                                      sums + (2 * i + 1) * channels);
    });
    return parts.sum({0}).div_(static_cast<double>(count));
}

/// Returns [C]: the approximate mean of each channel, from a sample of the pixels.
Tensor sampled_mean(const Tensor& pixels) {
    constexpr std::int64_t kSample = 1024;
    return pixels.slice(0, 0, {}, std::max<std::int64_t>(pixels.size(0) / kSample, 1)).mean({0});
}

/// The mean and the variance of each channel, in double.
struct Spread {
    Tensor mean, variance;
};

/// Computes the variance around a value near the mean, to avoid cancellation between large sums over a hundred million
/// values. If the sampled mean is too far off, makes a second pass with the actual mean.
Spread spread_of(const Tensor& pixels, double eps) {
    constexpr double kFar = 16;  // squared standard deviations
    auto center = sampled_mean(pixels);
    auto around = moments(pixels, center);
    const auto variance = [&] { return around[1] - around[0].square(); };
    if ((around[0].square() > (variance() + eps) * kFar).any().item<bool>()) {
        center = (center + around[0]).to(at::kFloat);
        around = moments(pixels, center);
    }
    return {center + around[0], variance()};
}

/// Replaces each channel's value by the mean of its group.
Tensor over_groups(const Tensor& of_channels, std::int64_t groups) {
    const auto grouped = of_channels.view({groups, -1});
    return grouped.mean({1}, /*keepdim=*/true).expand_as(grouped).flatten();
}

/// The normalization of each channel as an affine function x * factor + offset.
struct Affine {
    Tensor factor;
    Tensor offset;
};

Affine affine_of(const Tensor& pixels, const GroupNormParameters& norm) {
    const auto channel = spread_of(pixels, norm.eps);
    const auto mean = over_groups(channel.mean, norm.groups);
    const auto variance = over_groups(channel.variance + (channel.mean - mean).square(), norm.groups);
    const auto scale = norm.weight.to(at::kDouble) * (variance + norm.eps).rsqrt();
    return {scale.to(at::kFloat), (norm.bias.to(at::kDouble) - mean * scale).to(at::kFloat)};
}

void group_norm_silu_of(const Tensor& pixels, const GroupNormParameters& norm, const Tensor& result) {
    const auto channels = pixels.size(1);
    const auto [factor, offset] = affine_of(pixels, norm);
    const float* const scale = factor.const_data_ptr<float>();
    const float* const shift = offset.const_data_ptr<float>();
    at::parallel_for(0, pixels.size(0), rows_at_once(channels), [&](std::int64_t begin, std::int64_t end) {
        silu_kernels::scaled(pixels.const_data_ptr<float>() + begin * channels, end - begin, channels, scale, shift,
                             result.mutable_data_ptr<float>() + begin * channels);
    });
}

void group_norm_of(const Tensor& pixels, const GroupNormParameters& norm, Tensor result) {
    const auto [factor, offset] = affine_of(pixels, norm);
    at::addcmul_out(result, offset, pixels, factor);
}

/// Computes silu(frames * scale + shift) for `frames` [T, H, W, C], `scale` and `shift` [t, h, w, C]. Processes all
/// pixels of a row that share one scale together.
void scale_cells(const Tensor& frames, const Tensor& scale, const Tensor& shift, const Tensor& result) {
    const auto height = frames.size(1), width = frames.size(2), channels = frames.size(3), across = scale.size(2);
    const auto of_cell = width / across, rows_of_cell = height / scale.size(1);
    const auto frames_of_cell = frames.size(0) / scale.size(0);
    const float *const from = frames.const_data_ptr<float>(), *const scales = scale.const_data_ptr<float>(),
                       *const shifts = shift.const_data_ptr<float>();
    float* const to = result.mutable_data_ptr<float>();
    at::parallel_for(0, frames.size(0) * height, 1, [&](std::int64_t begin, std::int64_t end) {
        for (auto row = begin; row < end; ++row) {
            const auto cells =
                (row / height / frames_of_cell * scale.size(1) + row % height / rows_of_cell) * across * channels;
            for (std::int64_t cell = 0; cell < across; ++cell) {
                const auto place = (row * width + cell * of_cell) * channels;
                silu_kernels::scaled(from + place, of_cell, channels, scales + cells + cell * channels,
                                     shifts + cells + cell * channels, to + place);
            }
        }
    });
}

/// Returns true if nothing else refers to the tensor's memory.
bool is_free(const Tensor& x) {
    return x.use_count() == 1 && x.storage().use_count() == 1;
}

/// Returns the tensor itself if nothing else refers to its memory; otherwise allocates new memory.
Tensor reusable_memory(const Tensor& x) {
    return is_free(x) ? x : at::empty_like(x);
}

}  // namespace

Tensor unit_length_silu(Tensor x, const Tensor& gain) {
    RECORD_FUNCTION("kinescope::norm_silu", {});
    constexpr double kShortest = 1e-12;
    if (!is_plain(x) || !is_plain(gain)) {
        const Tensor memory = is_free(x) && x.scalar_type() == at::kFloat ? x : Tensor();
        if (Tensor fused = fused_unit_length_silu(x, gain, kShortest, memory); fused.defined()) return fused;
        const auto wide = x.to(at::kFloat);
        const auto length = at::linalg_vector_norm(wide, 2, {-1}, /*keepdim=*/true).clamp_min_(kShortest);
        return at::silu(at::div(wide, length).mul_(gain));
    }
    const auto channels = x.size(-1);
    const auto result = reusable_memory(x);
    at::parallel_for(0, x.numel() / channels, rows_at_once(channels), [&](std::int64_t begin, std::int64_t end) {
        silu_kernels::unit_length(x.const_data_ptr<float>() + begin * channels, end - begin, channels,
                                  gain.const_data_ptr<float>(), result.mutable_data_ptr<float>() + begin * channels);
    });
    return result;
}

namespace {

/// Normalizes each x[i]. `plain` computes the whole result for contiguous float32 pixels [P, C]. For other memory,
/// LibTorch computes the norm, and `rest` completes the result.
template <class Plain, class Rest>
Tensor of_each(const Tensor& x, const GroupNormParameters& norm, const Plain& plain, const Rest& rest) {
    RECORD_FUNCTION("kinescope::norm_silu", {});
    if (!is_plain(x)) {
        // LibTorch's channels-last kernel computes the variance as E[x^2] - E[x]^2, which loses precision.
        const auto planes = x.to(at::kFloat).movedim(-1, 1).contiguous();
        return rest(at::group_norm(planes, norm.groups, norm.weight, norm.bias, norm.eps).movedim(1, -1).contiguous());
    }
    const auto result = reusable_memory(x);
    const auto pixels = [&](const Tensor& of) { return of.view({-1, x.size(-1)}); };
    for (std::int64_t i = 0; i < x.size(0); ++i) plain(pixels(x[i]), norm, pixels(result[i]));
    return result;
}

}  // namespace

Tensor group_norm_silu(Tensor x, const GroupNormParameters& norm) {
    return of_each(x, norm, group_norm_silu_of, [](const Tensor& normed) { return at::silu(normed); });
}

Tensor group_norm(Tensor x, const GroupNormParameters& norm) {
    return of_each(x, norm, group_norm_of, std::identity());
}

Tensor modulated_group_norm_silu(Tensor frames, const GroupNormParameters& norm, const PlaceModulation& places) {
    RECORD_FUNCTION("kinescope::norm_silu", {});
    if (!is_plain(frames)) frames = frames.to(at::kFloat).contiguous();
    const auto [factor, offset] = affine_of(frames.flatten(0, 2), norm);
    const auto scale = (places.scale * factor).contiguous();
    const auto shift = (places.scale * offset + places.shift).contiguous();
    const auto result = reusable_memory(frames);
    // If the number of frames is odd, the first frame has its own scale.
    const auto lone = frames.size(0) > 1 ? frames.size(0) % 2 : 0;
    const auto part = [&](const Tensor& all, std::int64_t first, std::int64_t end) { return all.slice(0, first, end); };
    if (lone > 0) scale_cells(part(frames, 0, 1), part(scale, 0, 1), part(shift, 0, 1), part(result, 0, 1));
    const auto end = std::numeric_limits<std::int64_t>::max();
    scale_cells(part(frames, lone, end), part(scale, lone, end), part(shift, lone, end), part(result, lone, end));
    return result;
}

}  // namespace kinescope
