#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/nn/cpu/winograd.h"
#include "core/nn/parameter.h"
#include "core/weights/weight_store.h"

namespace kinescope {

/// Zero padding of an image: kernel / 2 pixels on each side, or only one row and one column at the end, as the encoders
/// of Stable Diffusion's VAEs use for downsampling.
enum class ConvPadding { around, behind };

struct Conv2dConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernel = 3;  ///< odd
    std::int64_t stride = 1;  ///< if 1 with padding `around`, the output has the size of the input
    ConvPadding padding = ConvPadding::around;
};

/// A convolution of channels-last images: [N, H, W, in] -> [N, H / stride, W / stride, out]. Accepts any dtype and
/// returns Precision::compute, or a wider dtype if the guard has raised the op.
class Conv2d {
public:
    Conv2d() = default;
    Conv2d(const WeightScope& scope, const Conv2dConfig& config, const Precision& precision);
    /// Uses an existing `weight` with odd k and stride 1: [out, in, k, k], or [out, in, taps, k, k] for a convolution
    /// of windows of frames, the oldest frame first. `name` appears in the log.
    Conv2d(const Tensor& weight, const Tensor& bias, const Precision& precision, const std::string& name = {});

    Tensor operator()(const Tensor& pictures) const { return (*this)(pictures, {.compute = compute_}); }
    /// Convolves `pictures` in OpPrecision::compute and returns this dtype. Uses float32 on the scaled level, and if
    /// float16 cannot hold the weight.
    Tensor operator()(const Tensor& pictures, const OpPrecision& op) const;
    /// Convolves the images after nearest-neighbor upsampling by 2, for stride 1: [N, H, W, in] -> [N, 2 H, 2 W, out].
    Tensor enlarged(const Tensor& pictures, const OpPrecision& op) const;
    /// Convolves each window of frames: result t uses frames t .. t + taps - 1, each [H, W, in]. An undefined frame,
    /// allowed only at the start, stands for zeros. Call this only if takes_windows() is true for all frames;
    /// otherwise, concatenate the frames of each window along the channels and convolve them as images.
    Tensor over_windows(const std::vector<Tensor>& frames) const;
    /// Returns the precision that the op uses when `wanted` is requested: float32 instead of float16 if float16 cannot
    /// hold the weight.
    OpPrecision fit(const OpPrecision& wanted) const { return weight_.fit(wanted); }
    /// Returns the dtype to which an input may be converted before the op, see operand_dtype.
    Dtype input_dtype(const OpPrecision& wanted) const;
    /// Returns true if Winograd's algorithm reads the weight, in place if the layer was created with a plain weight of
    /// the storage dtype.
    bool is_for_winograd() const { return weight_.values.defined() && weight_.values.dim() == 5; }
    bool takes_windows(const Tensor& frames, const OpPrecision& op) const;
    /// Returns the weight in its storage dtype: [out, in, k, k], or [out, taps * in, k, k], which may be a copy.
    Tensor weight() const;
    /// Returns a copy of the part of weight() that computes the output channels `outputs` (int64, on its device).
    Tensor weight_of(const Tensor& outputs) const;
    std::int64_t kernel() const { return weight_.values.size(-1); }
    /// Returns the bias in float32.
    const Tensor& bias() const { return bias_; }
    /// Returns float16, whose mantissa TF32 has, if the op rounds the factors of its products to TF32 on `device`, or
    /// nullopt if it rounds them to its own dtype.
    std::optional<Dtype> rounds_to(const OpPrecision& op, const Device& device) const;

private:
    struct Steps {
        std::int64_t stride = 1;
        ConvPadding padding = ConvPadding::around;
    };
    Conv2d(const Tensor& weight, const Tensor& bias, const Steps& steps, const Precision& precision,
           const std::string& name);
    Tensor convolve(const Tensor& pictures, const Tensor& weight, const Tensor& bias) const;
    Tensor planned(const Tensor& pictures, const Tensor& weight, const OpPrecision& op) const;
    Tensor scaled(const Tensor& pictures, const Tensor& weight, const OpPrecision& op) const;
    bool uses_winograd(const Tensor& pictures, const OpPrecision& op) const;
    Tensor convolve_winograd(const std::vector<Tensor>& frames, Enlarge enlarge) const;

    ProductWeight weight_;  ///< [out, in, taps, 3, 3] if Winograd's algorithm reads it, otherwise as weight()
    Tensor bias_;
    Steps steps_;
    Dtype compute_ = at::kFloat;
    Float32Convolutions float32_convolutions_ = Float32Convolutions::exact;
    mutable Tensor gain_ = {};  ///< product_gain of the weight; undefined until the first scaled product
};

}  // namespace kinescope
