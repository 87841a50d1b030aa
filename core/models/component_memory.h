#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/api/numeric_sample.h"
#include "core/api/video_request.h"
#include "core/device/precision.h"
#include "core/models/model_files.h"

namespace kinescope {

/// A component in the run of a resolved request.
struct MemoryQuery {
    const ModelFiles& files;
    const VideoRequest& request;
    const std::string& component;
    const Precision& precision;
    /// What it does there: a VAE encodes the image, too.
    Phase phase = Phase::denoise;
};

/// What it takes beside its weights, and how those may be divided.
struct ComponentMemory {
    /// Where the numbered blocks lie that may be streamed: "blocks" of "blocks.12.attn1.to_q.weight"; none: the
    /// component is whole in memory.
    std::vector<std::string> block_lists = {};
    std::int64_t activation_bytes = 0;  ///< what it computes with, in the moment when that is most
    /// How many rows a weight of its blocks is multiplied with at least, each time that it is used; 0: not known.
    std::int64_t rows = 0;
    /// How the names of those tensors begin that are not needed there.
    std::vector<std::string> unused = {};
    /// And of those that are float32 whatever the precision says.
    std::vector<std::string> float32 = {};
};

/// Rows of a component that runs once: to widen a weight for its product costs no more than to load it wider.
inline constexpr std::int64_t kRunsOnce = std::numeric_limits<std::int64_t>::max();

/// Text encoders that several families have. `num_tokens` is of the longest prompt.
ComponentMemory t5_memory(const MemoryQuery& query, std::int64_t num_tokens);
/// The vision tower of CLIP.
ComponentMemory clip_vision_memory(const MemoryQuery& query);

}  // namespace kinescope
