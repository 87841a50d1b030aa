#include "core/weights/weight_scan.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

namespace kinescope {

namespace {

/// Limits of a floating-point format as bit patterns, without the sign bit.
template <class Bits>
struct Format {
    Bits magnitude;  ///< bit mask
    Bits inf;        ///< everything above is NaN
    Bits flushed;    ///< the largest magnitude that float16 rounds to zero (2^-25); 0 if there is none
    Bits coarse;     ///< the largest magnitude of which float16 keeps at most 4 bits (2^-20); 0 if there is none
    Bits largest;    ///< the largest finite magnitude
};

constexpr Format<std::int32_t> kFloat32 = {0x7fffffff, 0x7f800000, 0x33000000, 0x35800000, 0x7f7fffff};
constexpr Format<std::int16_t> kBFloat16 = {0x7fff, 0x7f80, 0x3300, 0x3580, 0x7f7f};
constexpr Format<std::int16_t> kFloat16 = {0x7fff, 0x7c00, 0, 0, 0x7bff};
constexpr Format<std::int8_t> kFloat8E5M2 = {0x7f, 0x7c, 0, 0, 0x7b};

struct Counts {
    std::int32_t max = 0;
    std::int64_t nan = 0;
    std::int64_t inf = 0;
    std::int64_t flushed = 0;
    std::int64_t coarse = 0;
    std::int64_t largest = 0;

    void add(const Counts& other) {
        max = std::max(max, other.max);
        nan += other.nan;
        inf += other.inf;
        flushed += other.flushed;
        coarse += other.coarse;
        largest += other.largest;
    }
};

/// The baseline of the processor family has vectors of this size. GCC splits larger ones into scalar code.
constexpr std::int64_t kVectorBytes = 16;
constexpr std::int64_t kVectorsPerBlock = 64;  // an 8-bit lane counts to 127
constexpr std::int64_t kGrain = 256 * 1024;

/// Counts special values in one block. `values` has exactly kVectorsPerBlock vectors.
template <class Bits>
Counts count_block(const Bits* values, const Format<Bits>& format) {
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
Counts count_range(const Bits* values, std::int64_t count, const Format<Bits>& format) {
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

template <class Bits>
Counts count_all(const Tensor& stored, const Format<Bits>& format) {
    const auto* values = static_cast<const Bits*>(stored.const_data_ptr());
    Counts total;
    std::mutex mutex;
    at::parallel_for(0, stored.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
        const Counts part = count_range(values + begin, end - begin, format);
        const std::lock_guard lock(mutex);
        total.add(part);
    });
    return total;
}

/// Counts special values in float8_e4m3fn. It has no infinity; its largest bit pattern is NaN.
Counts count_e4m3(const Tensor& stored) {
    Counts counts =
        count_all<std::int8_t>(stored, {.magnitude = 0x7f, .inf = 0x7f, .flushed = 0, .coarse = 0, .largest = 0x7e});
    counts.nan = std::exchange(counts.inf, 0);
    return counts;
}

float float_of_bits(std::int32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class Float>
double value_of_bits(std::int32_t bits) {
    return static_cast<double>(static_cast<float>(Float(static_cast<decltype(Float::x)>(bits), Float::from_bits())));
}

WeightScan scan_of(const Counts& counts, std::int64_t count, double max_abs) {
    return {.count = count,
            .nan = counts.nan,
            .inf = counts.inf,
            .flushed = counts.flushed,
            .coarse = counts.coarse,
            .saturated = 0,
            .max_abs = std::isnan(max_abs) ? std::numeric_limits<double>::infinity() : max_abs};
}

}  // namespace

WeightScan scan_weight(const Tensor& stored) {
    if (!stored.is_cpu() || !stored.is_contiguous()) return scan_weight(stored.to(at::kCPU).contiguous());
    const std::int64_t count = stored.numel();
    switch (stored.scalar_type()) {
        case at::kFloat: {
            const Counts counts = count_all(stored, kFloat32);
            return scan_of(counts, count, float_of_bits(counts.max));
        }
        case at::kBFloat16: {
            const Counts counts = count_all(stored, kBFloat16);
            return scan_of(counts, count, value_of_bits<at::BFloat16>(counts.max));
        }
        case at::kHalf: {
            const Counts counts = count_all(stored, kFloat16);
            return scan_of(counts, count, value_of_bits<at::Half>(counts.max));
        }
        case at::kFloat8_e4m3fn: {
            const Counts counts = count_e4m3(stored);
            WeightScan scan = scan_of(counts, count, value_of_bits<at::Float8_e4m3fn>(counts.max));
            scan.saturated = counts.largest;
            return scan;
        }
        case at::kFloat8_e5m2: {
            const Counts counts = count_all(stored, kFloat8E5M2);
            WeightScan scan = scan_of(counts, count, value_of_bits<at::Float8_e5m2>(counts.max));
            scan.saturated = counts.largest;
            return scan;
        }
        default:
            return scan_weight(stored.to(at::kFloat));
    }
}

bool fits_float16(const WeightScan& scan) {
    const double most = kFloat16FlushedShare * static_cast<double>(scan.count);
    return scan.max_abs <= kFloat16WeightMax && static_cast<double>(scan.flushed) <= most;
}

namespace {

/// A row or column of a weight counts as lost if its squared rounding error exceeds this share of its sum of squares
/// (40 dB).
constexpr double kLostSquared = 1e-4;
constexpr std::int64_t kValuesAtOnce = std::int64_t{1} << 20;

/// Sums the squares of values and of their float16 rounding errors, for each index of one dimension.
class Losses {
public:
    explicit Losses(std::int64_t size) : error_(at::zeros({size}, at::kDouble)), size_(error_.clone()) {}

    void add(const Tensor& values, std::int64_t dim) {
        const Tensor error = values - values.to(at::kHalf).to(at::kFloat);
        std::vector<std::int64_t> others;
        for (std::int64_t i = 0; i < values.dim(); ++i)
            if (i != dim) others.push_back(i);
        error_ += error.square().sum(others);
        size_ += values.square().sum(others);
    }
    std::int64_t count() const { return (error_ > size_ * kLostSquared).sum().item<std::int64_t>(); }

private:
    Tensor error_, size_;
};

}  // namespace

std::int64_t channels_lost_in_float16(const Tensor& stored, const WeightScan& scan) {
    if (stored.dim() < 2 || stored.numel() == 0) return 0;
    const Tensor weight = stored.to(at::kCPU).flatten(std::min<std::int64_t>(stored.dim() - 1, 2));
    const auto out = weight.size(0), in = weight.size(1), length = std::min(stored.numel() / out, stored.numel() / in);
    // A channel can only be affected if at least a quarter of its values are that small.
    if (scan.coarse < std::max<std::int64_t>(length / 4, 1)) return 0;
    Losses columns(in);
    const auto step = std::max<std::int64_t>(kValuesAtOnce / (stored.numel() / out), 1);
    std::int64_t lost = 0;
    for (std::int64_t first = 0; first < out; first += step) {
        const auto count = std::min(step, out - first);
        const Tensor values = weight.narrow(0, first, count).to(at::kFloat);
        Losses part(count);
        part.add(values, 0);
        lost += part.count();
        columns.add(values, 1);
    }
    return lost + columns.count();
}

std::string describe_non_finite(const WeightScan& scan) {
    return std::to_string(scan.nan) + " NaN and " + std::to_string(scan.inf) + " Inf of " + std::to_string(scan.count) +
           " values";
}

}  // namespace kinescope
