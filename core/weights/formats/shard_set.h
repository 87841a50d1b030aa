#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kinescope {

/// The files of a checkpoint that belong together by name, such as "model-00001-of-00003.safetensors"; likewise for
/// GGUF and torch.save. The variant may precede or follow the shard number
/// ("model.fp16-00001-of-00002.safetensors", "model-00001-of-00002.fp16.safetensors").
struct ShardSet {
    std::vector<std::filesystem::path> files;  ///< all files in order, including missing ones
    std::filesystem::path whole;               ///< the name that the file would have if it were not sharded
    std::size_t place = 0;                     ///< index of the given file in `files`

    /// Returns the names of the missing files.
    std::vector<std::string> missing() const;
};

/// Returns the set of shards to which the file belongs by its name, or nullopt if there is none. Does not read any
/// file.
std::optional<ShardSet> shard_set_of(const std::filesystem::path& file);

}  // namespace kinescope
