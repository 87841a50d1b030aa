#pragma once

#include <limits>

#include "core/device/tensor.h"

namespace kinescope {

/// What becomes of a weight that its file holds as float8 or in blocks of GGUF.
enum class QuantizedWeights {
    upcast,  ///< dequantised on load, to Precision::storage
    keep,    ///< a Linear keeps it as it is and dequantises when it runs; everything else is upcast
};

inline constexpr int kAllBlocks = std::numeric_limits<int>::max();

/// How one component holds its weights and computes: the part of its policy that layers need.
struct Precision {
    Device device = Device(at::kCPU);
    Dtype storage =
        at::kFloat;  ///< of Linear and convolution weights in memory. float8_e4m3fn, int8: of Linear weights alone
    Dtype compute = at::kFloat;  ///< of matrix products and convolutions; norms, gates and tables are float32 anyway
    QuantizedWeights quantized = QuantizedWeights::upcast;
    int resident_blocks = kAllBlocks;  ///< that stay on the device; the others are brought there one at a time
};

}  // namespace kinescope
