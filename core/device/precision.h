#pragma once

#include <limits>

#include "core/device/tensor.h"

namespace kinescope {

/// The way to load a weight that is stored as float8 or GGUF blocks.
enum class QuantizedWeights {
    upcast,  ///< dequantize on load, to Precision::storage
    keep,    ///< Linear layers keep it and dequantize at run time; other layers upcast it
};

inline constexpr int kAllBlocks = std::numeric_limits<int>::max();

/// Storage and compute precision of one component: the part of its policy that layers need.
struct Precision {
    Device device = Device(at::kCPU);
    /// Dtype of Linear and convolution weights in memory. float8_e4m3fn and int8 apply to Linear weights only.
    Dtype storage = at::kFloat;
    Dtype compute = at::kFloat;  ///< of matrix products and convolutions; norms, gates and tables are always float32
    QuantizedWeights quantized = QuantizedWeights::upcast;
    /// Number of blocks that stay on the device; the others are copied there one at a time
    int resident_blocks = kAllBlocks;
};

}  // namespace kinescope
