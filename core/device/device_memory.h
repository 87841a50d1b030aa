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

}  // namespace kinescope
