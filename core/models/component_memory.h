#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/api/numeric_sample.h"
#include "core/api/resolved_request.h"
#include "core/device/precision.h"
#include "core/models/discovery/model_files.h"

namespace kinescope {

/// A query for the memory of one component during a run.
struct MemoryQuery {
    const ModelFiles& files;
    const ResolvedRequest& request;
    const std::string& component;
    const Precision& precision;
    /// The phase of the run. A VAE runs in Phase::decode and, if there is an image, in Phase::encode.
    Phase phase = Phase::denoise;
};

/// The memory that a component needs in addition to its weights, and the weights that can be streamed.
struct ComponentMemory {
    /// Prefixes of the numbered blocks that may be streamed: "blocks" for "blocks.12.attn1.to_q.weight". If there are
    /// none, all weights stay in memory.
    std::vector<std::string> block_lists = {};
    std::int64_t activation_bytes = 0;  ///< peak
    /// Minimum number of rows with which each use multiplies a block's weight. 0 means that it is unknown.
    std::int64_t rows = 0;
    /// Name prefixes of tensors that this phase does not use.
    std::vector<std::string> unused = {};
    /// Name prefixes of tensors that are always float32.
    std::vector<std::string> float32 = {};
};

/// The value of ComponentMemory::rows for a component that runs once. Widening its weights for each product costs no
/// more than widening them when they are loaded.
inline constexpr std::int64_t kRunsOnce = std::numeric_limits<std::int64_t>::max();

/// Returns the memory of a T5 encoder. `num_tokens` is the length of the longest prompt.
ComponentMemory t5_memory(const MemoryQuery& query, std::int64_t num_tokens);
/// Returns the memory of a CLIP vision encoder.
ComponentMemory clip_vision_memory(const MemoryQuery& query);

}  // namespace kinescope
