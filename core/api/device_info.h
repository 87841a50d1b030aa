#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/api/sentence.h"

namespace kinescope {

/// One device that can compute, as people see it.
struct DeviceInfo {
    std::string id;          ///< "cpu", "cuda:0", "mps"
    std::string name;        ///< e.g. "AMD EPYC", "NVIDIA GeForce RTX 3060"
    std::string capability;  ///< "AVX2", "8.6", "macOS 14"
    std::int64_t memory_total_bytes = 0;
    std::int64_t memory_free_bytes = 0;
    Sentence memory_limit = {};       ///< what restricts the memory below the computer's; empty: nothing
    std::vector<std::string> dtypes;  ///< native ones, fastest first
    std::string compute_dtype;        ///< what the automatic policy would take, e.g. "float32"
    std::string reason;               ///< why, in one sentence
    std::string driver;               ///< driver version, empty for the CPU
    Sentence unusable;                ///< why it cannot compute at all; empty: it can
};

}  // namespace kinescope
