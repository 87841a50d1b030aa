#include "core/weights/weight_scan.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include "core/weights/weight_scan_kernels.h"

namespace kinescope {

namespace {

using weight_scan_kernels::Counts;
using weight_scan_kernels::Format;

constexpr Format<std::int32_t> kFloat32 = {0x7fffffff, 0x7f800000, 0x33000000, 0x35800000, 0x7f7fffff};
constexpr Format<std::int16_t> kBFloat16 = {0x7fff, 0x7f80, 0x3300, 0x3580, 0x7f7f};
constexpr Format<std::int16_t> kFloat16 = {0x7fff, 0x7c00, 0, 0, 0x7bff};
constexpr Format<std::int8_t> kFloat8E5M2 = {0x7f, 0x7c, 0, 0, 0x7b};

constexpr std::int64_t kGrain = 256 * 1024;

template <class Bits>
Counts count_all(const Tensor& stored, const Format<Bits>& format) {
    const auto* values = static_cast<const Bits*>(stored.const_data_ptr());
    Counts total;
    std::mutex mutex;
    at::parallel_for(0, stored.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
        const Counts part = weight_scan_kernels::count_values(values + begin, end - begin, format);
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
