#pragma once

#include <cstddef>

namespace kinescope {

/// While one lives, a block of main memory of a megabyte or more that a tensor gives back is kept for the next tensor
/// of about that size: a step asks for the same blocks over and over, and the system, which fills each new page with
/// zeros, would take 7 % of the step for them (measured: Wan's 1.3B at 1280 tokens). Of the whole process.
class BlockReuse {
public:
    /// By how much the blocks in use and those that lie idle may exceed the most that was in use at once: by a half,
    /// with which most requests find a block, or not at all, when only blocks of just the size are reused.
    enum class Surplus { half, none };

    explicit BlockReuse(Surplus surplus);
    ~BlockReuse();
    BlockReuse(const BlockReuse&) = delete;
    BlockReuse& operator=(const BlockReuse&) = delete;

    /// Bytes that lie idle.
    std::size_t idle() const;
};

}  // namespace kinescope
