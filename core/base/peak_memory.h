#pragma once

#include <cstdint>

namespace kinescope {

/// Peak resident memory of this process since the construction of this object, from the kernel's high-water mark. If
/// the mark cannot be reset: since the start of the process.
class PeakMemory {
public:
    PeakMemory();
    std::int64_t bytes() const;
};

/// Current resident memory of this process, including mapped files.
std::int64_t resident_memory_bytes();

}  // namespace kinescope
