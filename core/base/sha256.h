#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kinescope {

/// SHA-256 (FIPS 180-4) of bytes that come in parts.
class Sha256 {
public:
    void add(std::span<const std::byte> bytes);
    /// 64 hexadecimal digits. Nothing can be added afterwards.
    std::string finish();

private:
    void take_block(const std::byte* block);

    std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, 64> block_{};
    std::size_t filled_ = 0;       ///< bytes of block_
    std::uint64_t num_bytes_ = 0;  ///< added so far
};

}  // namespace kinescope
