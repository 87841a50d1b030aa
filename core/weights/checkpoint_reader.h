#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

struct TensorEntry {
    std::string name;
    std::vector<std::int64_t> shape;
    Dtype dtype = at::kFloat;
    std::int64_t bytes = 0;
};

/// Names, shapes and values of the tensors of a checkpoint. Opening reads headers only.
class CheckpointReader {
public:
    virtual ~CheckpointReader() = default;
    /// In the order of the file. Names are unique.
    virtual const std::vector<TensorEntry>& entries() const = 0;
    /// A CPU tensor over the mapped file, kept alive by the tensor itself; nothing is copied. Do not write to it.
    /// Throws Error(missing_keys) for an unknown name.
    virtual Tensor read(const std::string& name) const = 0;
    /// Free text of the file's header, e.g. safetensors' __metadata__.
    virtual const std::map<std::string, std::string>& metadata() const = 0;
    virtual const std::vector<std::filesystem::path>& files() const = 0;
};

/// Opens a .safetensors file, a *.safetensors.index.json, or a folder that holds either (diffusers and transformers
/// names, also with a variant such as .fp16). Throws Error(file_not_found, file_unreadable, checkpoint_truncated,
/// checkpoint_corrupt, unsupported) with the reason.
std::shared_ptr<const CheckpointReader> open_checkpoint(const std::filesystem::path& path);

}  // namespace kinescope
