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
    Dtype dtype = at::kFloat;  ///< of what read() gives: uint8 for packed numbers
    std::int64_t bytes = 0;
    Packing packing = Packing::none;
    /// float32 [] or [rows, 1], to be multiplied to the numbers; undefined: they are what they are. Whoever renames
    /// entries carries it along.
    Tensor scale = {};
    /// Of LoRAs, for a quantised tensor: added to its numbers each time they are dequantised. Carried along, too.
    std::vector<WeightAddition> additions = {};

    /// By the shape.
    std::int64_t numel() const;
};

/// How the numbers are stored: "bfloat16", "float8_e4m3fn", "gguf q4_k" ...
std::string storage_name(const TensorEntry& entry);

/// float8 or packed: less than a number's own 16 bits, to be dequantised before anything is computed with it.
bool is_quantised(const TensorEntry& entry);

/// Names, shapes and values of the tensors of a checkpoint. Opening reads headers only.
class CheckpointReader {
public:
    virtual ~CheckpointReader() = default;
    /// In the order of the file. Names are unique.
    virtual const std::vector<TensorEntry>& entries() const = 0;
    /// A CPU tensor over the mapped file, kept alive by the tensor itself; only one that is not aligned there is
    /// copied. Do not write to it. Strides are those of the file. Packed numbers: their blocks, uint8 [n,
    /// block_size().bytes]. Throws Error(missing_keys) for an unknown name.
    virtual Tensor read(const std::string& name) const = 0;
    /// Free text of the file's header, e.g. safetensors' __metadata__.
    virtual const std::map<std::string, std::string>& metadata() const = 0;
    virtual const std::vector<std::filesystem::path>& files() const = 0;
    /// The file to blame for a tensor with values that are not finite: this checkpoint's own, unless a reader adds the
    /// values of other files.
    virtual std::filesystem::path source_of_damage(const std::string& /*name*/) const {
        return files().empty() ? std::filesystem::path("The checkpoint") : files().front();
    }
};

/// Opens a file of weights, found by its content (safetensors, GGUF, pickle of torch.save, index of shards), or a
/// folder that holds one (diffusers and transformers names, also with a variant such as .fp16). Throws
/// Error(file_not_found, file_unreadable, checkpoint_truncated, checkpoint_corrupt, unsupported) with the reason.
std::shared_ptr<const CheckpointReader> open_checkpoint(const std::filesystem::path& path);

}  // namespace kinescope
