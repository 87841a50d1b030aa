#pragma once

#include <memory>
#include <unordered_map>

#include "core/base/mapped_file.h"
#include "core/weights/checkpoint_reader.h"
#include "core/weights/formats/mapped_tensor.h"

namespace kinescope {

/// Reads a .pth, .pt, .bin or .ckpt file in the format of torch.save since PyTorch 1.6: a zip archive with a pickle and
/// the bytes of the storages. Never executes code from the file (see Unpickler). For the tensor names, see
/// list_pickle_tensors. Tensors are views of the mapped file with the file's strides.
class PickleReader final : public CheckpointReader {
public:
    /// Reads the header. Throws Error(checkpoint_truncated, checkpoint_corrupt, unsupported).
    explicit PickleReader(std::shared_ptr<const MappedFile> file);
    /// Opens a file. Throws the errors of MappedFile::open(), too.
    explicit PickleReader(const std::filesystem::path& file) : PickleReader(MappedFile::open(file)) {}

    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override;
    const std::map<std::string, std::string>& metadata() const override { return metadata_; }
    const std::vector<std::filesystem::path>& files() const override { return files_; }

private:
    std::shared_ptr<const MappedFile> file_;
    std::vector<std::filesystem::path> files_;
    std::vector<TensorEntry> entries_;
    std::unordered_map<std::string, TensorPlace> places_;
    std::map<std::string, std::string> metadata_;
};

}  // namespace kinescope
