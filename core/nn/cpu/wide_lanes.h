#pragma once

#include <cstdint>
#include <cstring>

#include "core/base/cpu_vectors.h"
#include "core/device/tensor.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/// Declares a function that is inlined into functions compiled for AVX-512.
#define KINESCOPE_WIDE [[gnu::always_inline, gnu::target("avx512f")]] inline

namespace kinescope {

/// Loads `count` values (at most kLanes) and widens them exactly to float32. The remaining lanes are zero.
KINESCOPE_WIDE void load_wide(FloatLanes& lanes, const float* from, std::int64_t count) {
    load_lanes(lanes, from, count);
}

KINESCOPE_WIDE void load_wide(FloatLanes& lanes, const at::BFloat16* from, std::int64_t count) {
    ShortLanes shorts;
    load_lanes(shorts, from, count);
    const IntLanes bits = __builtin_convertvector(shorts, IntLanes) << 16;
    std::memcpy(&lanes, &bits, sizeof lanes);
}

KINESCOPE_WIDE void load_wide(FloatLanes& lanes, const at::Half* from, std::int64_t count) {
    ShortLanes shorts;
    load_lanes(shorts, from, count);
    __m256i bits;
    std::memcpy(&bits, &shorts, sizeof bits);
    const __m512 wide = _mm512_maskz_cvtph_ps(0xffff, bits);
    std::memcpy(&lanes, &wide, sizeof lanes);
}

}  // namespace kinescope

#endif
