#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// The most memory that LibTorch held on a CUDA device since this object was made; 0 for others, whose memory is the
/// process's own.
class PeakDeviceMemory {
public:
    explicit PeakDeviceMemory(const Device& device);
    std::int64_t bytes() const;

private:
    Device device_;
};

/// What LibTorch holds on the device, in use or not; for the CPU what the process holds, bytes.
std::int64_t held_memory(const Device& device);
/// Gives back what nobody uses.
void give_back_memory(const Device& device);

/// While one lives, a block of main memory of a megabyte or more goes back to the system as soon as it is freed. It
/// takes longer to get one then; but among the large values of a VAE, of many sizes, the holes that the heap keeps make
/// up a third of the memory (measured with Wan 2.1's). Of the whole process.
class FreedBlocksReturn {
public:
    FreedBlocksReturn();
    ~FreedBlocksReturn();
    FreedBlocksReturn(const FreedBlocksReturn&) = delete;
    FreedBlocksReturn& operator=(const FreedBlocksReturn&) = delete;
};

}  // namespace kinescope
