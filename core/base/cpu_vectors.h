#pragma once

#include <cstdint>
#include <cstring>

namespace kinescope {

/// Vector types for files that Highway compiles once per target. They have the widest width of the targets; versions
/// for narrower CPUs split them. Pass them only by reference and only to inlined functions, because the versions have
/// no common calling convention for them.
inline constexpr std::int64_t kLanes = 16;
using FloatLanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using IntLanes = std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t))));
using ShortLanes = std::uint16_t __attribute__((vector_size(kLanes * sizeof(std::uint16_t))));
using ByteLanes = std::int8_t __attribute__((vector_size(kLanes)));

/// Loads up to kLanes values. The remaining lanes become zero.
template <class Lanes, class T>
[[gnu::always_inline]] inline void load_lanes(Lanes& lanes, const T* from, std::int64_t count) {
    if (count >= kLanes) {
        std::memcpy(&lanes, from, sizeof lanes);
        return;
    }
    lanes = Lanes{};
    std::memcpy(&lanes, from, sizeof(T) * static_cast<std::size_t>(count));
}

/// Stores the first `count` lanes, but at most kLanes.
template <class Lanes, class T>
[[gnu::always_inline]] inline void store_lanes(T* to, const Lanes& lanes, std::int64_t count) {
    if (count >= kLanes)
        std::memcpy(to, &lanes, sizeof lanes);
    else
        std::memcpy(to, &lanes, sizeof(T) * static_cast<std::size_t>(count));
}

}  // namespace kinescope
