#include "core/nn/cpu/int8_linear.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/device/cpu_level.h"
#include "core/nn/cpu/gemm_kernel.h"
#include "core/nn/cpu/int8_kernels.h"
#include "core/nn/cpu/int8_product.h"
#include "core/nn/cpu/plain_floats.h"
#include "core/weights/int8_weight.h"

namespace kinescope {

namespace {

constexpr float kLargest = 127.0f;

/// Returns true if int8_product() multiplies.
bool takes_own_product() {
    return gemm_kernel::is_supported() && !adds_int8_products();
}

/// Returns x W^T of int8 values as exact int32 sums. Without instructions for int8, the sums of parts are computed in
/// float32, which is exact for 1024 products: LibTorch's int8 product would be slow, or saturate sums of two products
/// if KINESCOPE_CPU hides the instructions.
Tensor library_product(const Tensor& x, const Tensor& weight) {
    const bool is_wrong_size = x.size(1) != weight.size(1);  // LibTorch reports it
    if (adds_int8_products() || is_wrong_size) return at::_int_mm(x, weight.t());
    constexpr std::int64_t kExactProducts = 1024;  // at most 128 * 128 * 1024 = 2^24
    const Tensor sums = at::zeros({x.size(0), weight.size(0)}, at::kInt);
    for (std::int64_t from = 0; from < x.size(1); from += kExactProducts) {
        const auto part = [&](const Tensor& of) { return of.slice(1, from, from + kExactProducts).to(at::kFloat); };
        sums.add_(at::mm(part(x), part(weight).t()).to(at::kInt));
    }
    return sums;
}

struct RoundedRows {
    Tensor values;                     ///< integers [L, in] as int8, or as int8_product() reads them
    std::vector<float> scale;          ///< L
    std::vector<std::uint8_t> coarse;  ///< [L]; 1 if the row needs float32
};

/// T is int8 or int16. Pads the rows with zeros to `padded_size`.
template <class T>
RoundedRows round_rows(const Tensor& x, std::int64_t padded_size) {
    const std::int64_t count = x.size(0), size = x.size(1);
    RoundedRows rows{at::empty({count, padded_size}, c10::CppTypeToScalarType<T>::value), std::vector<float>(count),
                     std::vector<std::uint8_t>(count)};
    const auto* from = x.const_data_ptr<float>();
    auto* to = rows.values.mutable_data_ptr<T>();
    at::parallel_for(0, count, rows_at_once(size), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const int8_kernels::RowFacts facts = int8_kernels::inspect(from + i * size, size);
            const auto at = static_cast<std::size_t>(i);
            rows.scale[at] = facts.largest / kLargest;
            rows.coarse[at] = facts.largest > static_cast<float>(kInt8Crest) * facts.typical;
            int8_kernels::round_row(from + i * size, size, facts.largest > 0 ? kLargest / facts.largest : 0.0f,
                                    to + i * padded_size);
            std::fill(to + i * padded_size + size, to + (i + 1) * padded_size, T{0});
            if (!std::isfinite(facts.largest)) rows.scale[at] = std::numeric_limits<float>::quiet_NaN();
        }
    });
    return rows;
}

/// Converts the int32 sums [L, out] to float32 results in the same memory.
Tensor rescaled(const Tensor& sums, const std::vector<float>& row_scale, const Tensor& column_scale,
                const Tensor& bias) {
    const std::int64_t size = sums.size(1);
    auto* rows = sums.mutable_data_ptr<std::int32_t>();
    const auto* columns = column_scale.const_data_ptr<float>();
    const auto* offsets = bias.defined() ? bias.const_data_ptr<float>() : nullptr;
    at::parallel_for(0, sums.size(0), rows_at_once(size), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            int8_kernels::rescale_row(rows + i * size, size, row_scale[static_cast<std::size_t>(i)], columns, offsets);
    });
    return sums.view(at::kFloat);
}

void add_exactly(Tensor& y, const Tensor& x, const std::vector<WeightAddition>& additions) {
    for (const WeightAddition& part : additions) {
        if (part.diff.defined())
            y.addmm_(x, part.diff.to(at::kFloat).view({y.size(1), x.size(1)}).t(), 1, part.scale);
        else
            y.addmm_(at::mm(x, part.down.to(at::kFloat).flatten(1).t()), part.up.to(at::kFloat).flatten(1).t(), 1,
                     part.scale);
    }
}

Tensor ids_of(const std::vector<std::uint8_t>& chosen) {
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i] != 0) ids.push_back(static_cast<std::int64_t>(i));
    return at::tensor(ids, at::kLong);
}

}  // namespace

bool multiplies_int8(const StoredWeight& weight, const OpPrecision& op) {
    return weight.defined() && weight.data.scalar_type() == at::kChar && weight.data.is_cpu() &&
           op == OpPrecision{.compute = at::kFloat};
}

Tensor int8_linear(const Tensor& x, const StoredWeight& weight, const Tensor& bias) {
    RECORD_FUNCTION("kinescope::int8_linear", {});
    const Tensor inputs = x.to(at::kFloat).flatten(0, -2).contiguous();
    const std::int64_t in = inputs.size(1);
    const bool is_own = takes_own_product() && in == weight.data.size(1);
    const RoundedRows rows =
        is_own ? round_rows<std::int16_t>(inputs, padded_int8_row(in)) : round_rows<std::int8_t>(inputs, in);
    const Tensor sums = is_own ? int8_product(rows.values, weight.data) : library_product(rows.values, weight.data);
    const Tensor offsets = bias.defined() ? bias.to(at::kFloat).contiguous() : bias;
    Tensor y = rescaled(sums, rows.scale, weight.scale, offsets);
    add_exactly(y, inputs, weight.additions);
    if (const Tensor coarse = ids_of(rows.coarse); coarse.numel() > 0)
        y.index_copy_(0, coarse, at::linear(inputs.index_select(0, coarse), weight.dequantize(at::kFloat), offsets));
    auto shape = x.sizes().vec();
    shape.back() = y.size(1);
    return y.view(shape);
}

}  // namespace kinescope
