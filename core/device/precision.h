#pragma once

#include <limits>

#include "core/api/compute_precision.h"
#include "core/device/tensor.h"

namespace kinescope {

/// How a weight is loaded that is stored as float8 or GGUF blocks.
enum class QuantizedWeights {
    upcast,  ///< dequantize on load, to Precision::storage
    keep,    ///< Linear layers keep it and dequantize at run time; other layers upcast it
};

/// How convolutions in float32 multiply on a GPU.
enum class Float32Convolutions {
    exact,
    tf32,  ///< with operands rounded to 10 bits, where FastPath::tf32_convolution is allowed
};

inline constexpr int kAllBlocks = std::numeric_limits<int>::max();

/// Storage and compute precision of one component: the part of its policy that layers need.
struct Precision {
    Device device = Device(at::kCPU);
    /// Dtype of Linear and convolution weights in memory. float8_e4m3fn and int8 apply only to the Linear layers of a
    /// denoiser's blocks.
    Dtype storage = at::kFloat;
    Dtype compute = at::kFloat;  ///< of matrix products and convolutions; norms, gates and tables are always float32
    /// The minimum level of each op. With PrecisionLevel::scaled and float16, products are computed in float16 on
    /// scaled operands, and everything between them in float32.
    PrecisionLevel level = PrecisionLevel::planned;
    QuantizedWeights quantized = QuantizedWeights::upcast;
    Float32Convolutions convolutions = Float32Convolutions::exact;
    /// Number of blocks that stay on the device; the others are copied there one at a time
    int resident_blocks = kAllBlocks;
};

/// Returns the dtype in memory of weights to which float8 and int8 do not apply.
inline Dtype plain_storage(const Precision& precision) {
    const bool is_quantized = c10::isFloat8Type(precision.storage) || precision.storage == at::kChar;
    return is_quantized ? precision.compute : precision.storage;
}

/// Returns the dtype of an op's result, which is float32 on the scaled level.
inline Dtype result_dtype(const Precision& precision) {
    return precision.level == PrecisionLevel::scaled ? at::ScalarType(at::kFloat) : precision.compute;
}

}  // namespace kinescope
