#pragma once

#include <cstdint>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// 3x3 convolutions of stride 1 with zeros around, in float32 on the CPU, by Winograd's F(2x2, 3x3) (Lavin & Gray 2016,
/// arXiv:1509.09308): 16 products in place of 36 for 2 x 2 places, and 9 where the picture is first made twice as large
/// by repetition. Sums of products are taken along all channels and frames at once. Results depend neither on the
/// number of threads nor on what else is computed in the same call.

/// What a picture is convolved as.
enum class Enlarge { none, twice };

/// A convolution over `taps` frames: `weight` [out, taps * in, 3, 3] of any dtype, the oldest frame's channels first;
/// `bias` [out] float32. A contiguous weight is read in place; for other layouts, each call copies the parts it reads.
struct WinogradFilter {
    Tensor weight;
    Tensor bias;
    std::int64_t taps = 1;

    std::int64_t in() const { return weight.size(1) / taps; }
    std::int64_t out() const { return weight.size(0); }
};

/// Whether it is the faster way on this CPU, as measured: with fewer channels, turning places into products costs what
/// these save. The number of places does not matter: filters are turned where they are multiplied.
bool winograd_pays(std::int64_t in, std::int64_t out);

/// `pictures` [H, W, in] each, the oldest first; undefined ones, only at the beginning, are zeros. Returns
/// [pictures - taps + 1, H, W, out], or twice the height and width.
Tensor winograd_convolution(const std::vector<Tensor>& pictures, const WinogradFilter& filter, Enlarge enlarge);

}  // namespace kinescope
