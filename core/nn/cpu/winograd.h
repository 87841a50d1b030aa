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

/// A convolution over `taps` frames: `weight` [out, taps * in, 3, 3] of any dtype, with the oldest frame's channels
/// first; `bias` [out] float32. A contiguous weight is read in place. For other layouts, each call copies the parts it
/// reads.
struct WinogradFilter {
    Tensor weight;
    Tensor bias;
    std::int64_t taps = 1;

    std::int64_t in() const { return weight.size(1) / taps; }
    std::int64_t out() const { return weight.size(0); }
};

/// Returns true if Winograd's algorithm is faster on this CPU (measured). With few channels, the transforms cost more
/// than the multiplications that they save. The image size does not matter.
bool winograd_pays(std::int64_t in, std::int64_t out);

/// Convolves `pictures`, [H, W, in] each, the oldest first. Undefined ones, allowed only at the start, stand for zeros.
/// Returns [pictures - taps + 1, H, W, out], or twice that height and width with Enlarge::twice.
Tensor winograd_convolution(const std::vector<Tensor>& pictures, const WinogradFilter& filter, Enlarge enlarge);

}  // namespace kinescope
