#pragma once

#include <string>
#include <vector>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// A weight in its storage format: plain, float8 with or without a scale, int8 with a scale, or GGUF blocks. Takes only
/// the memory of that format. Layers dequantize it each time they run.
struct StoredWeight {
    Tensor data;  ///< of shape `shape`; if packed, uint8 [n, block_size().bytes]; undefined if there is no weight
    std::vector<std::int64_t> shape;
    Packing packing = Packing::none;
    Tensor scale = {};                           ///< float32 [] or [rows, 1]; undefined if there is none
    std::vector<WeightAddition> additions = {};  ///< added after dequantizing

    bool defined() const { return data.defined(); }
    bool is_quantized() const;
    /// Returns the weight in this dtype. Does not copy a plain weight that already has it.
    Tensor dequantize(Dtype dtype) const;
    /// Returns the rows `ids` (int64, on the device of the data) of a table [rows, columns], as [*ids, columns].
    /// Dequantizes only these rows.
    Tensor rows(const Tensor& ids, Dtype dtype) const;
    StoredWeight to(const Device& device) const;
};

/// Returns the number of values of a packed weight that dequantize() unpacks at a time.
std::int64_t numbers_unpacked_at_once(const Device& device);

/// Wraps a plain tensor.
StoredWeight plain_weight(const Tensor& tensor);
/// Returns the weight of a reader's entry, over the mapped file.
StoredWeight read_stored(const CheckpointReader& reader, const TensorEntry& entry);

/// Quantizes to float8_e4m3fn with one scale, so that the tensor's largest value becomes 448. Without the scale, larger
/// values would become NaN.
StoredWeight quantize_fp8(const Tensor& weight);

/// The numbers of invalid values of a stored weight. Any of them would make products with it invalid.
struct StoredDamage {
    std::int64_t non_finite = 0;  ///< NaN or infinite values; for packed weights, NaN or infinite scales of blocks
    std::int64_t non_finite_scales = 0;  ///< NaN or infinite scales of the tensor or its rows
    std::int64_t bad_scales = 0;         ///< negative scales, and zero scales of values that are not all zero
    bool in_additions = false;           ///< a LoRA update contains NaN or infinite values

    bool any() const { return non_finite + non_finite_scales + bad_scales > 0 || in_additions; }
};
StoredDamage find_damage(const StoredWeight& weight);

/// Describes the damage: "2 zero or negative scales in float8_e4m3fn".
std::string describe_damage(const StoredDamage& damage, const std::string& storage);

}  // namespace kinescope
