#include "core/nn/parameter.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/api/joined.h"
#include "core/base/log_line.h"
#include "core/base/significant.h"
#include "core/device/dtype.h"
#include "core/weights/int8_weight.h"
#include "core/weights/quantizable.h"
#include "core/weights/weight_scan.h"

namespace kinescope {

Tensor to_storage(const Tensor& stored, const Precision& precision) {
    return stored.defined() ? stored.to(precision.device, plain_storage(precision)) : stored;
}

namespace {

bool becomes_float16(const Tensor& stored, const Precision& precision) {
    const bool wants_float16 = precision.storage == at::kHalf || precision.compute == at::kHalf;
    return wants_float16 && stored.defined() && stored.scalar_type() != at::kHalf;
}

std::string shape_of(const Tensor& value) {
    return "[" + joined(value.sizes(), ", ", [](std::int64_t size) { return std::to_string(size); }) + "]";
}

std::string reason(const WeightScan& scan, std::int64_t lost_channels) {
    if (scan.max_abs > kFloat16WeightMax) return "has values up to " + significant(scan.max_abs, 6);
    if (lost_channels > 0) return "would lose the precision of " + std::to_string(lost_channels) + " channels";
    return "would lose " + std::to_string(scan.flushed) + " of " + std::to_string(scan.count) + " values to underflow";
}

/// Returns true if products must not convert the weight to float16 either. Large values within float16's range are
/// allowed, because the guard detects a product that overflows.
bool is_beyond_float16(const WeightScan& scan) {
    return scan.max_abs > dtype_max(at::kHalf) || scan.max_abs <= kFloat16WeightMax;
}

}  // namespace

ProductWeight to_product_weight(const Tensor& stored, const Precision& precision, const std::string& name) {
    if (!becomes_float16(stored, precision)) return {to_storage(stored, precision), false};
    const WeightScan scan = scan_weight(stored);
    const std::int64_t lost_channels = fits_float16(scan) ? channels_lost_in_float16(stored, scan) : 0;
    if (fits_float16(scan) && lost_channels == 0) return {to_storage(stored, precision), false};
    const std::string dtype = dtype_name(stored.scalar_type());
    log_info((name.empty() ? "A weight " + shape_of(stored) : name) + " keeps " + dtype + ": in float16 it " +
             reason(scan, lost_channels));
    return {stored.to(precision.device), is_beyond_float16(scan)};
}

bool needs_float32(const Tensor& bias, const Precision& precision, const std::string& name) {
    return to_product_weight(bias, precision, name.empty() ? name : "the bias of " + name).needs_float32;
}

namespace {

/// Returns the share of values that quantization turns into zero. Ignores NaN, which check S0 reports.
double underflowing_share(const Tensor& weight, const StoredWeight& float8) {
    const auto before = at::count_nonzero(weight).item<std::int64_t>();
    constexpr int kMagnitude = 0x7f;  // ignores the sign, because -0 is zero too
    const auto after = at::count_nonzero(float8.data.view(at::kByte).bitwise_and(kMagnitude)).item<std::int64_t>();
    return static_cast<double>(before - after) / static_cast<double>(std::max<std::int64_t>(weight.numel(), 1));
}

/// Quantizes to float8. Returns nullopt if a few large values would turn too many others into zero (check S10); the
/// weight then keeps the compute dtype.
std::optional<LinearWeight> quantized(const Tensor& weight, const Precision& precision, const std::string& name,
                                      const Float8Sink& note) {
    const StoredWeight float8 = quantize_fp8(weight);
    const double zero = underflowing_share(weight, float8);
    const bool fits = zero <= kFloat8Zero;
    if (note) note({.weight = name, .zero = zero, .kept = fits ? float8.data.scalar_type() : precision.compute});
    if (fits) return LinearWeight{float8.to(precision.device), false};
    log_info(name + " keeps " + dtype_name(precision.compute) + ": in float8 it would lose " +
             std::to_string(std::lround(zero * 100)) + " % of its values to underflow");
    return std::nullopt;
}

}  // namespace

LinearWeight to_linear_storage(const Tensor& weight, const Precision& precision, const std::string& name,
                               const Float8Sink& note) {
    const bool may_quantize = weight.defined() && is_quantizable(name);
    if (may_quantize && c10::isFloat8Type(precision.storage)) {
        if (auto float8 = quantized(weight, precision, name, note)) return *float8;
    }
    if (may_quantize && precision.storage == at::kChar) return {quantize_int8(weight).to(precision.device), false};
    const ProductWeight kept = to_product_weight(weight, precision, name);
    return {plain_weight(kept.values), kept.needs_float32};
}

namespace {

/// Returns the number of bits of the significand.
int digits_of(Dtype dtype) {
    switch (dtype) {
        case at::kHalf:
            return std::numeric_limits<at::Half>::digits;
        case at::kBFloat16:
            return std::numeric_limits<at::BFloat16>::digits;
        default:
            return std::numeric_limits<float>::digits;
    }
}

/// Records the source of a plain `weight` that was converted to another 16-bit dtype, and whether it lost digits.
LinearWeight with_source(LinearWeight kept, const Tensor& weight, const WeightScope& scope) {
    if (!weight.defined() || kept.stored.is_quantized()) return kept;
    const Dtype before = weight.scalar_type(), now = kept.stored.data.scalar_type();
    if (now == before || now == at::kFloat) return kept;
    kept.source = scope.source("weight");
    if (digits_of(now) < digits_of(before)) kept.digits = WeightDigits::fewer;
    return kept;
}

}  // namespace

LinearWeight take_linear_weight(const WeightScope& scope, const std::vector<std::int64_t>& shape,
                                const Precision& precision) {
    const auto narrow = [&](const Tensor& weight) {
        const auto note = [&](Float8Note made) { scope.note_float8(std::move(made)); };
        return with_source(to_linear_storage(weight, precision, scope.path("weight"), note), weight, scope);
    };
    if (precision.quantized == QuantizedWeights::upcast) return narrow(scope.take("weight", shape));
    auto weight = scope.take_stored("weight", shape);
    return weight.is_quantized() ? LinearWeight{weight.to(precision.device), false} : narrow(weight.data);
}

Tensor to_float32(const Tensor& stored, const Precision& precision) {
    return stored.defined() ? stored.to(precision.device, at::kFloat) : stored;
}

Precision float32_compute(Precision precision) {
    precision.storage = precision.compute = at::kFloat;
    precision.level = PrecisionLevel::planned;
    precision.quantized = QuantizedWeights::upcast;
    return precision;
}

}  // namespace kinescope
