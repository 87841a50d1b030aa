#pragma once

#include <cstdint>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// 3x3 convolutions of stride 1 with zero padding, in float32 on the CPU, with Winograd's F(2x2, 3x3) (Lavin & Gray
/// 2016, arXiv:1509.09308): 16 multiplications instead of 36 per 2 x 2 results, and 9 after nearest-neighbor upsampling
/// by 2. Each sum covers all channels and frames. Results depend neither on the number of threads nor on other frames
/// in the same call.

/// Whether the image is upsampled by 2 (nearest neighbor) before the convolution.
enum class Enlarge { none, twice };

/// A convolution over one or more frames (taps): `weight` [out, in, taps, 3, 3], the oldest frame first, as models
/// store it; `bias` [out] float32. Reads a weight in float32, float16 or bfloat16 in place if its 3x3 filters are
/// contiguous.
struct WinogradFilter {
    Tensor weight;
    Tensor bias;

    std::int64_t in() const { return weight.size(1); }
    std::int64_t out() const { return weight.size(0); }
    std::int64_t taps() const { return weight.size(2); }
};

/// Returns true if Winograd's algorithm is faster on this CPU (measured). With few channels, the transforms cost more
/// than the multiplications that they save. The image size does not matter.
bool winograd_pays(std::int64_t in, std::int64_t out);

/// Returns the size of a filter that is transformed as a whole.
std::int64_t transformed_filter_bytes(std::int64_t in, std::int64_t out, std::int64_t taps);

/// Convolves `pictures`, [H, W, in] each, the oldest first. Undefined ones, allowed only at the start, stand for zeros.
/// Returns [pictures - taps + 1, H, W, out], or twice that height and width with Enlarge::twice.
Tensor winograd_convolution(const std::vector<Tensor>& pictures, const WinogradFilter& filter, Enlarge enlarge);

}  // namespace kinescope
