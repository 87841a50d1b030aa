#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

enum class WeightFileKind { safetensors, shard_index, gguf, pickle, legacy_pickle, unknown };

/// Detects the format from the content of the file. Ignores the file name.
WeightFileKind detect_weight_file(std::span<const std::byte> file);

/// Opens a file with the reader for its format. If the file is one of several shards, opens all of them. Throws
/// Error(unsupported) for other formats, and the errors of the reader.
std::shared_ptr<const CheckpointReader> open_weight_file(const std::filesystem::path& file);
/// Opens a file with the reader for its format. Throws Error(unsupported) for an index of shards and for other formats.
std::shared_ptr<const CheckpointReader> open_single_file(const std::filesystem::path& file);

}  // namespace kinescope
