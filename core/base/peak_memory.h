#pragma once

#include <cstdint>

namespace kinescope {

/// Peak resident memory of this process since the construction of this object, from the kernel's high-water mark. If
/// the mark cannot be reset, the peak since the start of the process.
class PeakMemory {
public:
    PeakMemory();
    std::int64_t bytes() const;
};

/// Returns the current resident memory of this process in bytes, including mapped files.
std::int64_t resident_memory_bytes();

}  // namespace kinescope
