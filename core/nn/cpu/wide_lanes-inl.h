// Vectors of the width of the target, for a file that Highway compiles once per target. Includes itself again for each.
#if defined(KINESCOPE_WIDE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINESCOPE_WIDE_LANES_INL
#undef KINESCOPE_WIDE_LANES_INL
#else
#define KINESCOPE_WIDE_LANES_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "core/device/tensor.h"

HWY_BEFORE_NAMESPACE();
namespace kinescope::HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
inline constexpr std::int64_t kWidth = 16;
#else
inline constexpr std::int64_t kWidth = 8;
#endif

template <class T>
struct VectorOf {
    typedef T type __attribute__((vector_size(kWidth * sizeof(T))));
};
using WideFloats = VectorOf<float>::type;
using WideInts = VectorOf<std::int32_t>::type;
using WideShorts = VectorOf<std::uint16_t>::type;

/// Loads `count` values (at most kWidth). The remaining lanes are zero.
template <class Vector, class T>
[[gnu::always_inline]] inline void load_first(Vector& lanes, const T* from, std::int64_t count) {
    if (count >= kWidth) {
        std::memcpy(&lanes, from, sizeof lanes);
        return;
    }
    lanes = Vector{};
    std::memcpy(&lanes, from, sizeof(T) * static_cast<std::size_t>(count));
}

/// Loads `count` values (at most kWidth) and widens them exactly to float32. The remaining lanes are zero.
[[gnu::always_inline]] inline void load_wide(WideFloats& lanes, const float* from, std::int64_t count) {
    load_first(lanes, from, count);
}

[[gnu::always_inline]] inline void load_wide(WideFloats& lanes, const at::BFloat16* from, std::int64_t count) {
    WideShorts shorts;
    load_first(shorts, from, count);
    const WideInts bits = __builtin_convertvector(shorts, WideInts) << 16;
    std::memcpy(&lanes, &bits, sizeof lanes);
}

[[gnu::always_inline]] inline void load_wide(WideFloats& lanes, const at::Half* from, std::int64_t count) {
    WideShorts shorts;
    load_first(shorts, from, count);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    __m256i bits;
    std::memcpy(&bits, &shorts, sizeof bits);
    const __m512 wide = _mm512_maskz_cvtph_ps(0xffff, bits);
    std::memcpy(&lanes, &wide, sizeof lanes);
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    __m128i bits;
    std::memcpy(&bits, &shorts, sizeof bits);
    const __m256 wide = _mm256_cvtph_ps(bits);
    std::memcpy(&lanes, &wide, sizeof lanes);
#else
    for (std::int64_t lane = 0; lane < kWidth; ++lane)
        lanes[lane] = static_cast<float>(at::Half(shorts[lane], at::Half::from_bits()));
#endif
}

/// Transposes a kWidth x kWidth matrix in place.
[[gnu::always_inline]] inline void transpose_wide(WideFloats* rows) {
    WideFloats laced[kWidth];
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    // Interleaves the first half with the second half four times.
    for (int turn = 0; turn < 4; ++turn) {
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i) {
            laced[2 * i] =
                __builtin_shufflevector(rows[i], rows[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            laced[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                                       29, 14, 30, 15, 31);
        }
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i) rows[i] = laced[i];
    }
#else
    // Each shuffle is one instruction of AVX: pairs within 128 bits, pairs of pairs, then halves.
#pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
        laced[i] = __builtin_shufflevector(rows[i], rows[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        laced[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    WideFloats quads[kWidth];
#pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4) {
#pragma GCC unroll 2
        for (int j = 0; j < 2; ++j) {
            quads[i + 2 * j] = __builtin_shufflevector(laced[i + j], laced[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            quads[i + 2 * j + 1] = __builtin_shufflevector(laced[i + j], laced[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        rows[i] = __builtin_shufflevector(quads[i], quads[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        rows[i + 4] = __builtin_shufflevector(quads[i], quads[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
#endif
}

}  // namespace kinescope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
