#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Reads the headers of an untrusted weight file, or of a folder that open_checkpoint() can open, in another process,
/// before this process reads them. Throws Error(file_unreadable) if they make that process crash, hang or exceed its
/// memory. A file that is only damaged passes, because open_checkpoint() reports it. Empty: no check.
using WeightCheck = std::function<void(const std::filesystem::path&)>;

/// Calls `check`, then open_checkpoint(). Throws the errors of both.
std::shared_ptr<const CheckpointReader> open_checked(const std::filesystem::path& path, const WeightCheck& check);

}  // namespace kinescope
