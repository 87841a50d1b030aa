#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>

#include "core/base/mapped_file.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Reads a memory-mapped .safetensors file. Format: https://huggingface.co/docs/safetensors
class SafetensorsReader final : public CheckpointReader {
public:
    /// Reads the header. Throws Error(checkpoint_truncated, checkpoint_corrupt, unsupported).
    explicit SafetensorsReader(std::shared_ptr<const MappedFile> file);
    /// Opens a file. Throws the errors of MappedFile::open(), too.
    explicit SafetensorsReader(const std::filesystem::path& file) : SafetensorsReader(MappedFile::open(file)) {}

    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override;
    const std::map<std::string, std::string>& metadata() const override { return metadata_; }
    const std::vector<std::filesystem::path>& files() const override { return files_; }

private:
    std::shared_ptr<const MappedFile> file_;
    std::vector<std::filesystem::path> files_;
    std::vector<TensorEntry> entries_;
    std::vector<std::size_t> offsets_;                         // of each entry, in bytes from the start of the file
    std::unordered_map<std::string_view, std::size_t> index_;  // the names lie in entries_
    std::map<std::string, std::string> metadata_;
};

}  // namespace kinescope
