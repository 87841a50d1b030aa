#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Measures the peak memory that LibTorch held on a CUDA device since this object was created. 0 for other devices,
/// which use the process's own memory.
class PeakDeviceMemory {
public:
    explicit PeakDeviceMemory(const Device& device);
    std::int64_t bytes() const;

private:
    Device device_;
};

/// Returns the number of bytes that LibTorch holds on the device, used or unused. For the CPU, returns the resident
/// memory of the process.
std::int64_t held_memory(const Device& device);
/// Returns LibTorch's unused memory to the device.
void release_memory(const Device& device);

/// While an instance exists, freed blocks of 1 MiB or more in main memory return to the system immediately. Allocation
/// becomes slower, but otherwise a third of the memory is lost to heap fragmentation between the large activations of a
/// VAE (measured with Wan 2.1). Affects the whole process.
class FreedBlocksReturn {
public:
    FreedBlocksReturn();
    ~FreedBlocksReturn();
    FreedBlocksReturn(const FreedBlocksReturn&) = delete;
    FreedBlocksReturn& operator=(const FreedBlocksReturn&) = delete;
};

}  // namespace kinescope
