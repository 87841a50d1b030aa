#include <functional>
#include <numeric>

#include "core/device/dtype.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

std::int64_t TensorEntry::numel() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string storage_name(const TensorEntry& entry) {
    return entry.packing == Packing::none ? dtype_name(entry.dtype) : packing_name(entry.packing);
}

bool is_quantized(const TensorEntry& entry) {
    return entry.packing != Packing::none || c10::isFloat8Type(entry.dtype);
}

}  // namespace kinescope
