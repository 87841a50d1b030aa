#pragma once

#include <string>

#include "core/device/op_precision.h"
#include "core/device/precision.h"
#include "core/weights/weight_store.h"

namespace kinescope {

/// A stored tensor as a layer keeps it: on the device, in Precision::storage (in Precision::compute where that is
/// float8 or int8, which nothing but a Linear can use). On the CPU and in the stored dtype nothing is copied: it stays
/// a view of the mapped file. An undefined tensor (a missing key, reported later) stays undefined.
Tensor to_storage(const Tensor& stored, const Precision& precision);

/// As to_storage for what is float32 in every policy: norms, gates, tables.
Tensor to_float32(const Tensor& stored, const Precision& precision);

/// How an op runs whose weight float16 cannot hold (S0): its products are float32.
inline OpPrecision fit_op(const OpPrecision& op, bool needs_float32) {
    return needs_float32 && op.compute == at::kHalf ? OpPrecision{} : op;
}

/// A weight of products, which a policy may want in float16.
struct ProductWeight {
    Tensor values;
    bool needs_float32 = false;  ///< float16 cannot hold it: it stays as stored

    OpPrecision fit(const OpPrecision& op) const { return fit_op(op, needs_float32); }
};

/// As to_storage; `name` is for the line in the log that says why a weight is not narrowed.
ProductWeight to_product_weight(const Tensor& stored, const Precision& precision, const std::string& name);

/// The same of a Linear, whose weight [out, in] may be kept quantised.
struct LinearWeight {
    StoredWeight stored;
    bool needs_float32 = false;

    OpPrecision fit(const OpPrecision& op) const { return fit_op(op, needs_float32); }
};

/// As stored where the policy keeps it quantised, in float8 or int8 where it asks for that, else as to_product_weight.
LinearWeight take_linear_weight(const WeightScope& scope, const std::vector<std::int64_t>& shape,
                                const Precision& precision);
LinearWeight to_linear_storage(const Tensor& weight, const Precision& precision, const std::string& name);

/// The same with another compute dtype: for layers that stay float32 whatever the policy says.
Precision float32_compute(Precision precision);

}  // namespace kinescope
