#include "core/nn/strip_packing.h"

#include <algorithm>
#include <cstring>

#include "core/nn/lane_transpose.h"
#include "core/nn/strip_product.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace kinescope::strip_product {

#if defined(__x86_64__) && defined(__GNUC__)

namespace {

#define KINESCOPE_WIDE [[gnu::always_inline, gnu::target("avx512f")]] inline

using ShortLanes = std::uint16_t __attribute__((vector_size(kLanes * sizeof(std::uint16_t))));

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

template <class T>
KINESCOPE_WIDE void pack_rows(const WeightRows<T>& rows, float* to) {
    for (std::int64_t k = 0; k < rows.depth; k += kLanes)
        for (std::int64_t column = 0; column < kStrip; column += kLanes) {
            FloatLanes lanes[kLanes];
#pragma GCC unroll 16
            for (std::int64_t i = 0; i < kLanes; ++i) {
                const bool is_there = column + i < rows.count;
                load_wide(lanes[i], rows.first + (is_there ? column + i : 0) * rows.stride + k,
                          is_there ? rows.depth - k : 0);
            }
            transpose_lanes(lanes);
#pragma GCC unroll 16
            for (std::int64_t i = 0; i < kLanes; ++i)
                std::memcpy(to + (k + i) * kStrip + column, &lanes[i], sizeof(FloatLanes));
        }
}

#undef KINESCOPE_WIDE

}  // namespace

__attribute__((target("avx512f"))) void pack(const WeightRows<float>& rows, float* to) {
    pack_rows(rows, to);
}

__attribute__((target("avx512f"))) void pack(const WeightRows<at::BFloat16>& rows, float* to) {
    pack_rows(rows, to);
}

__attribute__((target("avx512f"))) void pack(const WeightRows<at::Half>& rows, float* to) {
    pack_rows(rows, to);
}

#else

void pack(const WeightRows<float>&, float*) {}
void pack(const WeightRows<at::BFloat16>&, float*) {}
void pack(const WeightRows<at::Half>&, float*) {}

#endif

}  // namespace kinescope::strip_product
