#pragma once

#include <cstddef>

namespace kinescope {

/// While an instance exists, freed tensor blocks of 1 MiB or more in main memory are kept and reused for tensors of
/// about the same size. All denoising steps request blocks of the same sizes, and the kernel would spend 7 % of each
/// step on zero-filling new pages (measured with Wan 1.3B at 1280 tokens). Affects the whole process.
class BlockReuse {
public:
    /// The amount by which used and idle blocks together may exceed the peak usage. half: 50 %, which satisfies most
    /// requests. none: 0; only blocks of exactly the requested size are reused.
    enum class Surplus { half, none };

    explicit BlockReuse(Surplus surplus);
    ~BlockReuse();
    BlockReuse(const BlockReuse&) = delete;
    BlockReuse& operator=(const BlockReuse&) = delete;

    /// Returns the number of bytes in idle blocks.
    std::size_t idle() const;
};

}  // namespace kinescope
