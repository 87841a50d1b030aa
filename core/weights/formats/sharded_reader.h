#pragma once

#include <memory>
#include <unordered_map>

#include "core/weights/checkpoint_reader.h"
#include "core/weights/formats/shard_set.h"

namespace kinescope {

/// Reads shards as one checkpoint: those of a *.safetensors.index.json (or *.bin.index.json), or those that belong
/// together by name. Format of the index: {"metadata": {...}, "weight_map": {tensor: name of a file in the same
/// folder}}.
class ShardedReader final : public CheckpointReader {
public:
    /// Opens all shards of an index. Throws Error(file_not_found) with the names of missing shards, the errors of their
    /// readers, and Error(checkpoint_corrupt) if the index refers to files outside its folder or does not match the
    /// shards.
    explicit ShardedReader(const std::filesystem::path& index);
    /// Opens shards without an index. Throws Error(file_not_found) with the names of missing shards, the errors of
    /// their readers, and Error(checkpoint_corrupt) if two shards contain the same tensor.
    explicit ShardedReader(const ShardSet& set);

    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override;
    const std::map<std::string, std::string>& metadata() const override { return metadata_; }
    const std::vector<std::filesystem::path>& files() const override { return files_; }
    std::filesystem::path source_of_damage(const std::string& name) const override;

private:
    /// Adds the tensors of a shard. Returns the name of a tensor that an earlier shard contains as well, or an empty
    /// string.
    std::string add(const std::filesystem::path& shard);

    std::filesystem::path origin_;  // the index or the first shard
    std::vector<std::shared_ptr<const CheckpointReader>> shards_;
    std::vector<std::filesystem::path> files_;  // starts with the index if there is one
    std::vector<TensorEntry> entries_;
    std::unordered_map<std::string, std::size_t> shard_of_;
    std::map<std::string, std::string> metadata_;
};

}  // namespace kinescope
