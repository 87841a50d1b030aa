#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/parameter.h"
#include "core/nn/winograd.h"
#include "core/weights/weight_store.h"

namespace kinescope {

/// Where the zeros around a picture lie: kernel / 2 on each side, or one row and column behind it, as the encoders of
/// Stable Diffusion's VAEs downsample.
enum class ConvPadding { around, behind };

struct Conv2dConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernel = 3;  ///< odd
    std::int64_t stride = 1;  ///< 1 with zeros around: the picture keeps its size
    ConvPadding padding = ConvPadding::around;
};

/// A convolution of pictures that lie channels-last: [N, H, W, in] -> [N, H / stride, W / stride, out]. Any dtype in,
/// Precision::compute out, or as the guard raised it.
class Conv2d {
public:
    Conv2d() = default;
    Conv2d(const WeightScope& scope, const Conv2dConfig& config, const Precision& precision);
    /// `weight` [out, in, k, k] of a model with k odd; stride 1. `name` is for the log.
    Conv2d(const Tensor& weight, const Tensor& bias, const Precision& precision, const std::string& name = {});

    Tensor operator()(const Tensor& pictures) const { return (*this)(pictures, {.compute = compute_}); }
    /// Returns OpPrecision::compute; float32 on the scaled rung, and where float16 cannot hold the weight.
    Tensor operator()(const Tensor& pictures, const OpPrecision& op) const;
    /// The same of the pictures twice as large by repetition, for stride 1: [N, H, W, in] -> [N, 2 H, 2 W, out].
    Tensor enlarged(const Tensor& pictures, const OpPrecision& op) const;
    /// Windows of `taps` frames side by side in the channels: result t is of frames t .. t + taps - 1, each
    /// [H, W, in / taps]; undefined ones, only at the beginning, are zeros. Only where takes_windows(all of
    /// them): elsewhere the caller puts the frames side by side.
    Tensor over_windows(const std::vector<Tensor>& frames, std::int64_t taps) const;
    /// How the op computes that is asked for as `wanted`: in float32 where float16 cannot hold the weight.
    OpPrecision fit(const OpPrecision& wanted) const { return weight_.fit(wanted); }
    bool takes_windows(const Tensor& frames, std::int64_t taps, const OpPrecision& op) const;
    /// As they are kept.
    const Tensor& weight() const { return weight_.values; }
    const Tensor& bias() const { return bias_; }

private:
    Tensor convolve(const Tensor& pictures, const Tensor& weight, const Tensor& bias) const;
    Tensor scaled(const Tensor& pictures, const OpPrecision& op) const;
    bool uses_winograd(const Tensor& pictures, std::int64_t taps, const OpPrecision& op) const;
    Tensor by_winograd(const std::vector<Tensor>& frames, std::int64_t taps, Enlarge enlarge) const;

    ProductWeight weight_;
    Tensor bias_;
    std::int64_t stride_ = 1;
    ConvPadding padding_ = ConvPadding::around;
    Dtype compute_ = at::kFloat;
};

}  // namespace kinescope
