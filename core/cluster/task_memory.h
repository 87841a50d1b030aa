#pragma once

#include <cstdint>

namespace kinescope::cluster {

/// Returns the main memory that a task asks Slurm for: the plan's peak, a quarter more because plans are estimates, and
/// 1 GiB for the program and its libraries, rounded up to 256 MiB.
constexpr std::int64_t task_memory_bytes(std::int64_t planned_bytes) {
    constexpr std::int64_t kMiB = std::int64_t{1} << 20;
    constexpr std::int64_t kStep = 256 * kMiB;
    const std::int64_t wanted = planned_bytes + planned_bytes / 4 + 1024 * kMiB;
    return (wanted + kStep - 1) / kStep * kStep;
}

}  // namespace kinescope::cluster
