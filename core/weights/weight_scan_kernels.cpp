#include "core/weights/weight_scan_kernels.h"

#include <array>
#include <cstring>

#include "core/device/cpu_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/weights/weight_scan_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinescope::weight_scan_kernels::HWY_NAMESPACE {
namespace {

/// The size of the target's vectors. GCC splits larger ones into scalar code.
constexpr std::int64_t kVectorBytes = !HWY_ARCH_X86 || HWY_TARGET > HWY_AVX2 ? 16 : HWY_TARGET > HWY_AVX3 ? 32 : 64;
constexpr std::int64_t kVectorsPerBlock = 64;  // an 8-bit lane counts to 127

/// Counts special values in one block. `values` has exactly kVectorsPerBlock vectors.
template <class Bits>
[[gnu::always_inline]] inline Counts count_block(const Bits* values, const Format<Bits>& format) {
    using Vector __attribute__((vector_size(kVectorBytes))) = Bits;
    constexpr std::int64_t kLanes = kVectorBytes / sizeof(Bits);
    Vector max = {}, nan = {}, inf = {}, flushed = {}, coarse = {}, largest = {};
    for (std::int64_t i = 0; i < kVectorsPerBlock; ++i) {
        Vector value;
        std::memcpy(&value, values + i * kLanes, sizeof value);
        value &= format.magnitude;
        max = value > max ? value : max;
        nan -= value > format.inf;
        inf -= value == format.inf;
        flushed -= (value > 0) & (value <= format.flushed);
        coarse -= (value > 0) & (value <= format.coarse);
        largest -= value == format.largest;
    }
    Counts counts;
    for (std::int64_t lane = 0; lane < kLanes; ++lane)
        counts.add({max[lane], nan[lane], inf[lane], flushed[lane], coarse[lane], largest[lane]});
    return counts;
}

template <class Bits>
[[gnu::always_inline]] inline Counts count_all(const Bits* values, std::int64_t count, const Format<Bits>& format) {
    constexpr std::int64_t kBlock = kVectorsPerBlock * kVectorBytes / sizeof(Bits);
    Counts counts;
    std::int64_t begin = 0;
    for (; begin + kBlock <= count; begin += kBlock) counts.add(count_block(values + begin, format));
    if (begin == count) return counts;
    std::array<Bits, kBlock> rest{};
    std::copy(values + begin, values + count, rest.begin());
    counts.add(count_block(rest.data(), format));
    return counts;
}

Counts count_32_bits(const std::int32_t* values, std::int64_t count, const Format<std::int32_t>& format) {
    return count_all(values, count, format);
}

Counts count_16_bits(const std::int16_t* values, std::int64_t count, const Format<std::int16_t>& format) {
    return count_all(values, count, format);
}

Counts count_8_bits(const std::int8_t* values, std::int64_t count, const Format<std::int8_t>& format) {
    return count_all(values, count, format);
}

}  // namespace
}  // namespace kinescope::weight_scan_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope::weight_scan_kernels {

HWY_EXPORT(count_32_bits);
Counts count_values(const std::int32_t* values, std::int64_t count, const Format<std::int32_t>& format) {
    return HWY_DYNAMIC_DISPATCH(count_32_bits)(values, count, format);
}

HWY_EXPORT(count_16_bits);
Counts count_values(const std::int16_t* values, std::int64_t count, const Format<std::int16_t>& format) {
    return HWY_DYNAMIC_DISPATCH(count_16_bits)(values, count, format);
}

HWY_EXPORT(count_8_bits);
Counts count_values(const std::int8_t* values, std::int64_t count, const Format<std::int8_t>& format) {
    return HWY_DYNAMIC_DISPATCH(count_8_bits)(values, count, format);
}

}  // namespace kinescope::weight_scan_kernels

#endif
