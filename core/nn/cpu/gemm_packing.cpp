#include "core/nn/cpu/gemm_packing.h"

#include <algorithm>
#include <cstring>

#include "core/device/cpu_targets.h"
#include "core/nn/cpu/gemm_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/nn/cpu/gemm_packing.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Once per target, therefore after foreach_target.h.
#include "core/nn/cpu/wide_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace kinescope::gemm_kernel::HWY_NAMESPACE {
namespace {

using namespace kinescope::HWY_NAMESPACE;

template <class T>
[[gnu::always_inline]] inline void pack_rows(const WeightRows<T>& rows, float* to) {
    for (std::int64_t k = 0; k < rows.depth; k += kWidth)
        for (std::int64_t column = 0; column < kPanelColumns; column += kWidth) {
            WideFloats lanes[kWidth];
#pragma GCC unroll 16
            for (std::int64_t i = 0; i < kWidth; ++i) {
                const bool is_there = column + i < rows.count;
                load_wide(lanes[i], rows.first + (is_there ? column + i : 0) * rows.stride + k,
                          is_there ? rows.depth - k : 0);
            }
            transpose_wide(lanes);
#pragma GCC unroll 16
            for (std::int64_t i = 0; i < kWidth; ++i)
                std::memcpy(to + (k + i) * kPanelColumns + column, &lanes[i], sizeof(WideFloats));
        }
}

void pack_float32(const WeightRows<float>& rows, float* to) {
    pack_rows(rows, to);
}

void pack_bfloat16(const WeightRows<at::BFloat16>& rows, float* to) {
    pack_rows(rows, to);
}

void pack_float16(const WeightRows<at::Half>& rows, float* to) {
    pack_rows(rows, to);
}

}  // namespace
}  // namespace kinescope::gemm_kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope::gemm_kernel {

HWY_EXPORT(pack_float32);
void pack(const WeightRows<float>& rows, float* to) {
    HWY_DYNAMIC_DISPATCH(pack_float32)(rows, to);
}

HWY_EXPORT(pack_bfloat16);
void pack(const WeightRows<at::BFloat16>& rows, float* to) {
    HWY_DYNAMIC_DISPATCH(pack_bfloat16)(rows, to);
}

HWY_EXPORT(pack_float16);
void pack(const WeightRows<at::Half>& rows, float* to) {
    HWY_DYNAMIC_DISPATCH(pack_float16)(rows, to);
}

}  // namespace kinescope::gemm_kernel

#endif
