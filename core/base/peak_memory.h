#pragma once

#include <cstdint>

namespace kinescope {

/// The largest resident memory of this process since this object was made: the kernel's own high-water mark, set back
/// at the start (Linux); where it cannot be set back, since the process began.
class PeakMemory {
public:
    PeakMemory();
    std::int64_t bytes() const;
};

/// What of this process is in memory now, pages of mapped files included.
std::int64_t resident_memory_bytes();

}  // namespace kinescope
