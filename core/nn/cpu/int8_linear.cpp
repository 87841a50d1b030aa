#include "core/nn/cpu/int8_linear.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/base/cpu_clones.h"
#include "core/base/cpu_vectors.h"
#include "core/nn/cpu/plain_floats.h"
#include "core/weights/int8_weight.h"

namespace kinescope {

namespace {

constexpr float kLargest = 127.0f;

/// Adding this constant rounds a float to the nearest integer, in the low bits of the sum. A conversion would be
/// undefined for NaN.
constexpr float kRounder = 12582912.0f;  // 1.5 * 2^23
constexpr std::int32_t kRounderBits = 0x4b400000;

struct RowFacts {
    float largest;  ///< largest |x|; NaN if the row contains NaN
    float typical;  ///< root mean square
};

KINESCOPE_CPU_CLONES
RowFacts inspect(const float* row, std::int64_t size) {
    IntLanes largest = {};
    FloatLanes squares = {};
    for (std::int64_t i = 0; i < size; i += kLanes) {
        FloatLanes x;
        IntLanes magnitude;
        load_lanes(x, row + i, size - i);
        std::memcpy(&magnitude, &x, sizeof magnitude);
        magnitude &= 0x7fffffff;  // integer order of the bits equals the order of |x|, with Inf and NaN above all
        largest = magnitude > largest ? magnitude : largest;
        squares += x * x;
    }
    std::int32_t bits = 0;
    double sum = 0;
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        bits = std::max(bits, largest[lane]);
        sum += static_cast<double>(squares[lane]);
    }
    RowFacts facts{0, static_cast<float>(std::sqrt(sum / static_cast<double>(size)))};
    std::memcpy(&facts.largest, &bits, sizeof bits);
    return facts;
}

KINESCOPE_CPU_CLONES
void round_row(const float* row, std::int64_t size, float factor, std::int8_t* to) {
    for (std::int64_t i = 0; i < size; i += kLanes) {
        FloatLanes x;
        IntLanes bits;
        load_lanes(x, row + i, size - i);
        x = x * factor + kRounder;
        std::memcpy(&bits, &x, sizeof bits);
        const ByteLanes rounded = __builtin_convertvector(bits - kRounderBits, ByteLanes);
        store_lanes(to + i, rounded, size - i);
    }
}

/// Converts int32 sums to float32 results in place.
KINESCOPE_CPU_CLONES
void rescale_row(std::int32_t* row, std::int64_t size, float row_scale, const float* column_scale, const float* bias) {
    for (std::int64_t i = 0; i < size; i += kLanes) {
        IntLanes sums;
        FloatLanes scale;
        load_lanes(sums, row + i, size - i);
        load_lanes(scale, column_scale + i, size - i);
        FloatLanes y = __builtin_convertvector(sums, FloatLanes) * (scale * row_scale);
        if (bias != nullptr) {
            FloatLanes offset;
            load_lanes(offset, bias + i, size - i);
            y += offset;
        }
        store_lanes(row + i, y, size - i);
    }
}

struct RoundedRows {
    Tensor values;                     ///< int8 [L, in]
    std::vector<float> scale;          ///< L
    std::vector<std::uint8_t> coarse;  ///< [L]; 1 if the row needs float32
};

RoundedRows round_rows(const Tensor& x) {
    const std::int64_t count = x.size(0), size = x.size(1);
    RoundedRows rows{at::empty({count, size}, x.options().dtype(at::kChar)), std::vector<float>(count),
                     std::vector<std::uint8_t>(count)};
    const auto* from = x.const_data_ptr<float>();
    auto* to = rows.values.mutable_data_ptr<std::int8_t>();
    at::parallel_for(0, count, rows_at_once(size), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const RowFacts facts = inspect(from + i * size, size);
            const auto at = static_cast<std::size_t>(i);
            rows.scale[at] = facts.largest / kLargest;
            rows.coarse[at] = facts.largest > static_cast<float>(kInt8Crest) * facts.typical;
            round_row(from + i * size, size, facts.largest > 0 ? kLargest / facts.largest : 0.0f, to + i * size);
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
            rescale_row(rows + i * size, size, row_scale[static_cast<std::size_t>(i)], columns, offsets);
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
    const RoundedRows rows = round_rows(inputs);
    const Tensor offsets = bias.defined() ? bias.to(at::kFloat).contiguous() : bias;
    Tensor y = rescaled(at::_int_mm(rows.values, weight.data.t()), rows.scale, weight.scale, offsets);
    add_exactly(y, inputs, weight.additions);
    if (const Tensor coarse = ids_of(rows.coarse); coarse.numel() > 0)
        y.index_copy_(0, coarse, at::linear(inputs.index_select(0, coarse), weight.dequantize(at::kFloat), offsets));
    auto shape = x.sizes().vec();
    shape.back() = y.size(1);
    return y.view(shape);
}

}  // namespace kinescope
