#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/device/tensor.h"
#include "core/weights/packing.h"
#include "core/weights/weight_addition.h"

namespace kinescope {

struct TensorEntry {
    std::string name;
    std::vector<std::int64_t> shape;
    Dtype dtype = at::kFloat;  ///< of the tensor that read() returns, which is uint8 for packed values
    std::int64_t bytes = 0;
    Packing packing = Packing::none;
    /// Factor for the values: float32 [] or [rows, 1]. Undefined if there is none. Readers that rename entries must
    /// copy it.
    Tensor scale = {};
    /// LoRA updates of a quantized tensor, applied each time it is dequantized. Readers that rename entries must copy
    /// them.
    std::vector<WeightAddition> additions = {};

    /// Returns the number of values according to the shape.
    std::int64_t numel() const;
};

/// Returns the storage format: "bfloat16", "float8_e4m3fn", "gguf q4_k" ...
std::string storage_name(const TensorEntry& entry);

/// Returns true for float8 and packed formats, which must be dequantized before use.
bool is_quantized(const TensorEntry& entry);

/// Names, shapes and values of the tensors in a checkpoint. Opening a checkpoint reads only headers.
class CheckpointReader {
public:
    virtual ~CheckpointReader() = default;
    /// Returns the tensors in file order. Names are unique.
    virtual const std::vector<TensorEntry>& entries() const = 0;
    /// Returns a CPU tensor over the mapped file, which the tensor keeps alive. Do not write to it. Tensors are copied
    /// only if they are not aligned for their dtype. Strides are those of the file. Packed values are returned as uint8
    /// blocks [n, block_size().bytes]. Throws Error(missing_keys) for an unknown name.
    virtual Tensor read(const std::string& name) const = 0;
    /// Returns free-form text from the file's header, such as safetensors' __metadata__.
    virtual const std::map<std::string, std::string>& metadata() const = 0;
    virtual const std::vector<std::filesystem::path>& files() const = 0;
    /// Returns the file that contains the invalid values of a tensor. This is the checkpoint's own file unless the
    /// reader adds values from other files.
    virtual std::filesystem::path source_of_damage(const std::string& /*name*/) const {
        return files().empty() ? std::filesystem::path("The checkpoint") : files().front();
    }
};

/// Opens a weight file or a folder that contains one. Detects the format by the file's content (safetensors, GGUF,
/// torch.save pickle, index of shards). In a folder, accepts the names used by diffusers or transformers, including
/// those with a variant such as .fp16. Throws Error(file_not_found, file_unreadable, checkpoint_truncated,
/// checkpoint_corrupt, unsupported).
std::shared_ptr<const CheckpointReader> open_checkpoint(const std::filesystem::path& path);

}  // namespace kinescope
