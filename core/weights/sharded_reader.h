#pragma once

#include <memory>
#include <unordered_map>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// The shards that a *.safetensors.index.json (or *.bin.index.json) names, as one checkpoint:
/// {"metadata": {...}, "weight_map": {tensor: file beside the index}}.
class ShardedReader final : public CheckpointReader {
public:
    /// Throws what the shards' readers throw, and Error(checkpoint_corrupt) when the index leads out of its folder or
    /// index and shards disagree.
    explicit ShardedReader(const std::filesystem::path& index);

    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override;
    const std::map<std::string, std::string>& metadata() const override { return metadata_; }
    const std::vector<std::filesystem::path>& files() const override { return files_; }

private:
    std::filesystem::path index_;
    std::vector<std::shared_ptr<const CheckpointReader>> shards_;
    std::vector<std::filesystem::path> files_;  // the index first
    std::vector<TensorEntry> entries_;
    std::unordered_map<std::string, std::size_t> shard_of_;
    std::map<std::string, std::string> metadata_;
};

}  // namespace kinescope
