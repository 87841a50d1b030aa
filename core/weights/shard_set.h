#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kinescope {

/// The files of one checkpoint that only their names hold together: "model-00001-of-00003.safetensors" and its like,
/// also of GGUF and torch.save, with the variant on either side ("model.fp16-00001-of-00002.safetensors").
struct ShardSet {
    std::vector<std::filesystem::path> files;  ///< all that the names count, in order, whether they are there or not
    std::filesystem::path whole;               ///< what the file would be called in one piece
    std::size_t place = 0;                     ///< of the named file in `files`

    /// Names of the files that are not there.
    std::vector<std::string> missing() const;
};

/// nullopt: its name says nothing of others. Reads no file.
std::optional<ShardSet> shard_set_of(const std::filesystem::path& file);

}  // namespace kinescope
