#pragma once

#include <memory>
#include <unordered_map>

#include "core/weights/checkpoint_reader.h"
#include "core/weights/shard_set.h"

namespace kinescope {

/// The shards that a *.safetensors.index.json (or *.bin.index.json) names, as one checkpoint:
/// {"metadata": {...}, "weight_map": {tensor: file beside the index}}; or those that their own names hold together.
class ShardedReader final : public CheckpointReader {
public:
    /// Throws what the shards' readers throw, and Error(checkpoint_corrupt) when the index leads out of its folder or
    /// index and shards disagree.
    explicit ShardedReader(const std::filesystem::path& index);
    /// Without an index. Throws Error(file_not_found) that names the shards that are not there, what their readers
    /// throw, and Error(checkpoint_corrupt) for a tensor that is in two of them.
    explicit ShardedReader(const ShardSet& set);

    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override;
    const std::map<std::string, std::string>& metadata() const override { return metadata_; }
    const std::vector<std::filesystem::path>& files() const override { return files_; }

private:
    /// The name of a tensor that an earlier shard has, too; empty: there is none.
    std::string add(const std::filesystem::path& shard);

    std::filesystem::path origin_;  // the index, or the first shard
    std::vector<std::shared_ptr<const CheckpointReader>> shards_;
    std::vector<std::filesystem::path> files_;  // the index first, if there is one
    std::vector<TensorEntry> entries_;
    std::unordered_map<std::string, std::size_t> shard_of_;
    std::map<std::string, std::string> metadata_;
};

}  // namespace kinescope
