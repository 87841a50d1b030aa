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

/// Values of a stored weight that make every product with it meaningless.
struct StoredDamage {
    std::int64_t non_finite = 0;         ///< values that are NaN or Inf; of packed ones, scales of their blocks
    std::int64_t non_finite_scales = 0;  ///< scales of the tensor or of its rows that are NaN or Inf
    std::int64_t bad_scales = 0;         ///< such scales that are 0 or negative
    bool in_additions = false;           ///< a LoRA that is added to it holds NaN or Inf

    bool any() const { return non_finite + non_finite_scales + bad_scales > 0 || in_additions; }
};
StoredDamage find_damage(const StoredWeight& weight);

/// "2 scales that are 0 or negative in float8_e4m3fn"
std::string damage_in_words(const StoredDamage& damage, const std::string& storage);

}  // namespace kinescope
