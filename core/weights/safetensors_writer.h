#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/base/atomic_file.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Writes tensors (from any device, of any strides) and free text to a .safetensors file; it appears only when it is
/// whole, and replaces one of the same name. Throws Error(output_not_writable, disk_full), and Error(unsupported) for a
/// dtype that the format cannot hold.
void write_safetensors(const std::filesystem::path& file, const std::map<std::string, Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {}, FileAccess access = FileAccess::shared);

}  // namespace kinescope
