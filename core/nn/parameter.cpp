#include "core/nn/parameter.h"

#include <ATen/ATen.h>

#include "core/base/log_line.h"
#include "core/device/dtype.h"
#include "core/weights/weight_scan.h"

namespace kinescope {

Tensor to_storage(const Tensor& stored, const Precision& precision) {
    const auto dtype = c10::isFloat8Type(precision.storage) ? precision.compute : precision.storage;
    return stored.defined() ? stored.to(precision.device, dtype) : stored;
}

namespace {

bool is_narrowed(const Tensor& stored, const Precision& precision) {
    const bool wants_float16 = precision.storage == at::kHalf || precision.compute == at::kHalf;
    return wants_float16 && stored.defined() && stored.scalar_type() != at::kHalf;
}

std::string shape_of(const Tensor& value) {
    std::string text;
    for (const auto size : value.sizes()) text += (text.empty() ? "[" : ", ") + std::to_string(size);
    return text + "]";
}

std::string reason(const WeightScan& scan) {
    if (scan.max_abs > kFloat16WeightMax)
        return "has values up to " + std::to_string(static_cast<std::int64_t>(scan.max_abs));
    return "would lose " + std::to_string(scan.flushed) + " of " + std::to_string(scan.count) + " values to zero";
}

/// Large values that float16 just holds may still be multiplied in it: should a product overflow, the guard sees it.
bool is_beyond_float16(const WeightScan& scan) {
    return scan.max_abs > dtype_max(at::kHalf) || scan.max_abs <= kFloat16WeightMax;
}

}  // namespace

ProductWeight to_product_weight(const Tensor& stored, const Precision& precision, const std::string& name) {
    if (!is_narrowed(stored, precision)) return {to_storage(stored, precision), false};
    const WeightScan scan = scan_weight(stored);
    if (fits_float16(scan)) return {to_storage(stored, precision), false};
    const std::string dtype = dtype_name(stored.scalar_type());
    log_warning((name.empty() ? "A weight " + shape_of(stored) : name) + " stays " + dtype + ": as float16 it " +
                reason(scan));
    return {stored.to(precision.device), is_beyond_float16(scan)};
}

LinearWeight to_linear_storage(const Tensor& weight, const Precision& precision, const std::string& name) {
    if (weight.defined() && c10::isFloat8Type(precision.storage))
        return {quantize_fp8(weight).to(precision.device), false};
    const ProductWeight kept = to_product_weight(weight, precision, name);
    return {plain_weight(kept.values), kept.needs_float32};
}

LinearWeight take_linear_weight(const WeightScope& scope, const std::vector<std::int64_t>& shape,
                                const Precision& precision) {
    const std::string name = scope.path("weight");
    if (precision.quantized == QuantizedWeights::upcast)
        return to_linear_storage(scope.take("weight", shape), precision, name);
    auto weight = scope.take_stored("weight", shape);
    if (weight.is_quantised()) return {weight.to(precision.device), false};
    return to_linear_storage(weight.data, precision, name);
}

Tensor to_float32(const Tensor& stored, const Precision& precision) {
    return stored.defined() ? stored.to(precision.device, at::kFloat) : stored;
}

Precision float32_compute(Precision precision) {
    precision.storage = precision.compute = at::kFloat;
    precision.quantized = QuantizedWeights::upcast;
    return precision;
}

}  // namespace kinescope
