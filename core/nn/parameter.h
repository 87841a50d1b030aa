#pragma once

#include <string>

#include "core/device/op_precision.h"
#include "core/device/precision.h"
#include "core/weights/weight_store.h"

namespace kinescope {

/// Converts a stored tensor to the form that a layer uses: on the device, in plain_storage(). On the CPU and in the
/// stored dtype, the result is a view of the mapped file. An undefined tensor (a missing key, reported later) stays
/// undefined.
Tensor to_storage(const Tensor& stored, const Precision& precision);

/// Converts a stored tensor to float32 on the device, for tensors that are always float32: norms, gates, tables.
Tensor to_float32(const Tensor& stored, const Precision& precision);

/// Returns the precision of an op whose weight may not fit in float16 (check S0): float32 instead of float16 if
/// `needs_float32`.
inline OpPrecision fit_op(const OpPrecision& op, bool needs_float32) {
    return needs_float32 && op.compute == at::kHalf ? OpPrecision{} : op;
}

/// A weight of matrix products or convolutions, which the precision policy may store in float16.
struct ProductWeight {
    Tensor values;
    bool needs_float32 = false;  ///< float16 cannot hold the weight, so it keeps its stored dtype

    OpPrecision fit(const OpPrecision& op) const { return fit_op(op, needs_float32); }
};

/// Returns true if float16 cannot hold the bias of an op. The bias itself is always float32 in memory. `name` appears
/// in the log.
bool needs_float32(const Tensor& bias, const Precision& precision, const std::string& name);

/// Converts like to_storage. If float16 cannot hold the weight, keeps it in another dtype and logs `name`.
ProductWeight to_product_weight(const Tensor& stored, const Precision& precision, const std::string& name);

/// Whether a weight in memory has fewer digits than in its file.
enum class WeightDigits { all, fewer };

/// The weight [out, in] of a Linear layer, which may be quantized.
struct LinearWeight {
    StoredWeight stored;
    bool needs_float32 = false;
    WeightDigits digits = WeightDigits::all;
    WeightSource source = {};  ///< the weight in its file; empty unless it was converted to another 16-bit dtype

    OpPrecision fit(const OpPrecision& op) const { return fit_op(op, needs_float32); }
};

/// Takes the weight of a Linear layer from the store. Keeps the stored format if the policy keeps quantized weights,
/// and quantizes to float8 or int8 if the policy requests it and the layer is_quantizable(). Otherwise converts like
/// to_product_weight, and remembers the source of a weight that it narrows.
LinearWeight take_linear_weight(const WeightScope& scope, const std::vector<std::int64_t>& shape,
                                const Precision& precision);
/// Converts a weight that is already loaded, as take_linear_weight does. `float8` receives a note about each conversion
/// to float8, see WeightStore.
LinearWeight to_linear_storage(const Tensor& weight, const Precision& precision, const std::string& name,
                               const Float8Sink& float8 = {});

/// Returns `precision` with storage and compute dtype float32, for layers that always use float32.
Precision float32_compute(Precision precision);

}  // namespace kinescope
