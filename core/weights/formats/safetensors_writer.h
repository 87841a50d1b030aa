#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/base/atomic_file.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Writes tensors (from any device, with any strides) and metadata to a .safetensors file. The file gets its name only
/// when it is complete, and replaces an existing one. Throws Error(output_not_writable, disk_full), and
/// Error(unsupported) for a dtype that the format does not support.
void write_safetensors(const std::filesystem::path& file, const std::map<std::string, Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {}, FileAccess access = FileAccess::shared);

/// Writes the same to an open file, which the caller commits.
void write_safetensors(AtomicFile& output, const std::map<std::string, Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace kinescope
