#include "core/models/guidance_methods.h"

#include <ATen/ATen.h>

namespace kinescope {

Tensor cfg_zero_star(const Tensor& cond, const Tensor& uncond, const Tensor& scale) {
    constexpr double kLeastNorm = 1e-8;
    const Tensor fitted = uncond * (at::sum(cond * uncond) / (at::sum(uncond * uncond) + kLeastNorm));
    return fitted + scale * (cond - fitted);
}

namespace {

/// Converts to float64, on the CPU if the device has none.
Tensor to_float64(const Tensor& x) {
    return (x.is_mps() ? x.cpu() : x).to(at::kDouble);
}

/// Removes all but `eta` of the part of `direction` that is parallel to `cond`. Computes in float64, because the
/// parallel part is a small difference of large sums.
Tensor projected(const Tensor& direction, const Tensor& cond, double eta) {
    constexpr double kLeastNorm = 1e-12;
    const Tensor wide = to_float64(direction);
    const Tensor wide_cond = to_float64(cond);
    const Tensor axis = wide_cond / at::linalg_vector_norm(wide_cond).clamp_min(kLeastNorm);
    const Tensor parallel = at::sum(wide * axis) * axis;
    return ((wide - parallel).to(at::kFloat) + eta * parallel.to(at::kFloat)).to(cond.device());
}

}  // namespace

ApgResult adaptive_projected_guidance(const Tensor& cond, const Tensor& uncond, const Tensor& scale,
                                      const ApgSettings& settings, const Tensor& average) {
    const Tensor difference = cond - uncond;
    const Tensor mean = average.defined() ? difference + settings.momentum * average : difference;
    Tensor direction = mean;
    if (settings.rescale > 0)
        direction = direction * (settings.rescale / at::linalg_vector_norm(direction)).clamp_max(1);
    return {.prediction = cond + (scale - 1) * projected(direction, cond, settings.eta), .average = mean};
}

Tensor normalized_attention_guidance(const Tensor& positive, const Tensor& negative, const NagSettings& settings) {
    constexpr double kLeastNorm = 1e-7;
    constexpr double kUnknownGrowth = 10;  ///< for rows that are zero
    const Tensor from = positive.to(at::kFloat);
    const Tensor moved = from * settings.scale - negative.to(at::kFloat) * (settings.scale - 1);
    const auto norm = [](const Tensor& rows) { return rows.abs().sum(-1, /*keepdim=*/true); };
    const Tensor norm_from = norm(from);
    const Tensor norm_moved = norm(moved);
    const Tensor growth = at::nan_to_num(norm_moved / norm_from, kUnknownGrowth);
    const Tensor limited = moved / (norm_moved + kLeastNorm) * norm_from * settings.tau;
    return at::where(growth > settings.tau, limited, moved) * settings.alpha + from * (1 - settings.alpha);
}

}  // namespace kinescope
