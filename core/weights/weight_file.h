#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

enum class WeightFileKind { safetensors, shard_index, gguf, pickle, legacy_pickle, unknown };

/// By the first bytes of a file; its name is not asked.
WeightFileKind detect_weight_file(std::span<const std::byte> file);

/// The reader of that kind; of one of several shards, all of them joined. Throws Error(unsupported) for what is none of
/// them, and what the reader throws.
std::shared_ptr<const CheckpointReader> open_weight_file(const std::filesystem::path& file);
/// The same for what holds its tensors itself: an index is refused, as one of its own shards is.
std::shared_ptr<const CheckpointReader> open_single_file(const std::filesystem::path& file);

}  // namespace kinescope
