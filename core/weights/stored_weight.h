#pragma once

#include <string>
#include <vector>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// The numbers of a weight as they are kept: plain, float8 with or without a scale, int8
/// with one, or blocks of GGUF. Memory is that
/// of the stored form; what computes asks for the numbers each time.
struct StoredWeight {
    Tensor data;  ///< of `shape`; packed: uint8 [n, block_size().bytes]. Undefined: none
    std::vector<std::int64_t> shape;
    Packing packing = Packing::none;
    Tensor scale = {};                           ///< float32 [] or [rows, 1]; undefined: none
    std::vector<WeightAddition> additions = {};  ///< to the numbers

    bool defined() const { return data.defined(); }
    bool is_quantised() const;
    /// Plain: 0 copies where the dtype is the same already.
    Tensor dequantize(Dtype dtype) const;
    /// Rows of a table [rows, columns] by their numbers `ids` (int64, on the device of the data), [*ids, columns]: only
    /// these are dequantised.
    Tensor rows(const Tensor& ids, Dtype dtype) const;
    StoredWeight to(const Device& device) const;
};

/// A tensor as it stands.
StoredWeight plain_weight(const Tensor& tensor);
/// An entry of a reader, over the mapped file.
StoredWeight read_stored(const CheckpointReader& reader, const TensorEntry& entry);

/// In float8_e4m3fn with a scale for the whole tensor such that its largest number becomes 448: nothing is beyond the
/// range, where a cast would make NaN of it.
StoredWeight quantize_fp8(const Tensor& weight);

/// How many numbers are NaN or Inf; of packed ones, how many scales of blocks. A scale that is not finite or not above
/// 0 counts as one.
std::int64_t count_non_finite(const StoredWeight& weight);

}  // namespace kinescope
