#pragma once

#include <cstddef>

namespace kinescope {

/// While an instance exists, freed tensor blocks of 1 MiB or more in main memory are kept and reused for tensors of
/// about that size. A denoising step requests the same blocks again and again, and the kernel would spend 7 % of the
/// step on zero-filling new pages (measured with Wan 1.3B at 1280 tokens). Affects the whole process.
class BlockReuse {
public:
    /// How far used and idle blocks together may exceed the peak usage. half: by 50 %, which serves most requests.
    /// none: not at all, and only blocks of exactly the requested size are reused.
    enum class Surplus { half, none };

    explicit BlockReuse(Surplus surplus);
    ~BlockReuse();
    BlockReuse(const BlockReuse&) = delete;
    BlockReuse& operator=(const BlockReuse&) = delete;

    /// Bytes in idle blocks.
    std::size_t idle() const;
};

}  // namespace kinescope
