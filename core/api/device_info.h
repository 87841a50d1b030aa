#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/api/localizable_message.h"

namespace kinescope {

/// A compute device, as shown to the user.
struct DeviceInfo {
    std::string id;          ///< "cpu", "cuda:0", "mps"
    std::string name;        ///< e.g. "AMD EPYC", "NVIDIA GeForce RTX 3060"
    std::string capability;  ///< "AVX2", "8.6", "macOS 14"
    std::int64_t memory_total_bytes = 0;
    std::int64_t memory_free_bytes = 0;
    LocalizableMessage memory_limit = {};  ///< the limit if it is lower than the computer's memory; empty: none
    std::vector<std::string> dtypes;       ///< supported natively, fastest first
    std::string compute_dtype;             ///< choice of the automatic policy, e.g. "float32"
    std::string reason;                    ///< reason for compute_dtype, one sentence
    std::string driver;                    ///< driver version; empty for the CPU
    LocalizableMessage unusable;           ///< why the device cannot be used; empty: it can
};

}  // namespace kinescope
