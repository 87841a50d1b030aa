#include "core/nn/cpu/gemm_packing.h"

#include <algorithm>
#include <cstring>

#include "core/nn/cpu/gemm_kernel.h"
#include "core/nn/cpu/lane_transpose.h"
#include "core/nn/cpu/wide_lanes.h"

namespace kinescope::gemm_kernel {

#if defined(__x86_64__) && defined(__GNUC__)

namespace {

template <class T>
KINESCOPE_WIDE void pack_rows(const WeightRows<T>& rows, float* to) {
    for (std::int64_t k = 0; k < rows.depth; k += kLanes)
        for (std::int64_t column = 0; column < kPanelColumns; column += kLanes) {
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
                std::memcpy(to + (k + i) * kPanelColumns + column, &lanes[i], sizeof(FloatLanes));
        }
}

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

}  // namespace kinescope::gemm_kernel
