#include "core/nn/cpu/amx_attention.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>

#include "core/base/cpu_vectors.h"
#include "core/nn/cpu/byte_memory.h"
#include "core/nn/cpu/gemm_packing.h"

namespace kinescope {

namespace {

using amx_product::kColumns;
using amx_product::Parts;
using gemm_kernel::Sum;

/// The distance between rows of scores. The padding prevents rows from mapping to the same cache lines.
constexpr std::int64_t score_stride(std::int64_t keys) {
    return keys + kLanes;
}

std::int64_t panel_of(std::int64_t depth) {
    return amx_product::bytes_of_panel(depth, Parts::three);
}

std::int64_t bytes_of_keys(std::int64_t keys, std::int64_t dim) {
    return count_parts(keys, kColumns) * panel_of(dim);
}

}  // namespace

std::int64_t AmxAttention::bytes_of_values(std::int64_t keys, std::int64_t dim) {
    return count_parts(keys, kKeys) * dim / kColumns * panel_of(kKeys);
}

std::int64_t AmxAttention::packed_bytes(std::int64_t keys, std::int64_t dim) {
    return bytes_of_keys(keys, dim) + bytes_of_values(keys, dim);
}

AmxAttention::AmxAttention(std::int64_t keys, std::int64_t dim, float scale)
    : keys_(keys),
      dim_(dim),
      scale_(scale),
      key_panels_(allocate_bytes(bytes_of_keys(keys, dim))),
      value_panels_(allocate_bytes(bytes_of_values(keys, dim))),
      numbers_(at::empty({std::max(kKeys, dim), kColumns}, at::kFloat)),
      query_(allocate_bytes(amx_product::bytes_of_rows(dim, kPlane))),
      scores_(at::empty({kQueries, score_stride(kKeys)}, at::kFloat)),
      weights_(allocate_bytes(amx_product::bytes_of_rows(kKeys, kPlane))) {}

std::byte* AmxAttention::key_panel(std::int64_t key) const {
    return bytes_of(key_panels_) + key / kColumns * panel_of(dim_);
}

std::byte* AmxAttention::value_panel(std::int64_t first_key, std::int64_t column) const {
    return bytes_of(value_panels_) + (first_key / kKeys * dim_ + column) / kColumns * panel_of(kKeys);
}

void AmxAttention::pack(const Head& key, const Head& value) {
    float* const numbers = numbers_.mutable_data_ptr<float>();
    for (std::int64_t first = 0; first < keys_; first += kColumns) {
        gemm_kernel::pack(gemm_kernel::WeightRows<float>{.first = key.tokens + first * key.stride,
                                                         .stride = key.stride,
                                                         .count = std::min(kColumns, keys_ - first),
                                                         .depth = dim_},
                          numbers);
        amx_product::split_panel(numbers, dim_, Parts::three, key_panel(first));
    }
    for (std::int64_t first = 0; first < keys_; first += kKeys)
        for (std::int64_t column = 0; column < dim_; column += kColumns) {
            const auto count = std::min(kKeys, keys_ - first);
            for (std::int64_t i = 0; i < count; ++i)
                std::memcpy(numbers + i * kColumns, value.tokens + (first + i) * value.stride + column,
                            kColumns * sizeof(float));
            amx_product::split_panel(numbers, count, Parts::three, value_panel(first, column));
        }
}

void AmxAttention::run(const Queries& queries) {
    rows_.fill({});
    amx_product::split_rows(
        {.first = queries.query.tokens, .stride = queries.query.stride, .count = queries.query.count, .depth = dim_},
        bytes_of(query_), kPlane);
    for (std::int64_t first = 0; first < keys_; first += kKeys)
        add_keys(queries, first, std::min(kKeys, keys_ - first));
    for (std::int64_t i = 0; i < queries.query.count; ++i)
        softmax_kernels::multiply(queries.result + i * queries.result_stride, dim_, 1 / row(i).sum);
}

void AmxAttention::multiply(const std::byte* rows, const std::byte* panel, std::int64_t depth, float* c,
                            std::int64_t stride, std::int64_t count, Sum sum) const {
    for (std::int64_t first = 0; first < count; first += amx_product::kRows) {
        float* const part = c + first * stride;
        amx_product::multiply({.a = rows + first * amx_product::kRowBytes,
                               .plane = kPlane,
                               .rows = std::min(amx_product::kRows, count - first),
                               .b = panel,
                               .depth = depth,
                               .c = part,
                               .c_stride = stride,
                               .start = sum == Sum::accumulate ? part : nullptr,
                               .start_stride = stride});
    }
}

void AmxAttention::add_keys(const Queries& queries, std::int64_t first, std::int64_t count) {
    float* const scores = scores_.mutable_data_ptr<float>();
    const auto rows = queries.query.count, stride = score_stride(kKeys);
    for (std::int64_t key = 0; key < count; key += kColumns)
        multiply(bytes_of(query_), key_panel(first + key), dim_, scores + key, stride, rows, Sum::overwrite);
    for (std::int64_t i = 0; i < rows; ++i) {
        const float factor = softmax_kernels::add_part(scores + i * stride, count, scale_, row(i));
        if (first > 0) softmax_kernels::multiply(queries.result + i * queries.result_stride, dim_, factor);
    }
    amx_product::split_rows({.first = scores, .stride = stride, .count = rows, .depth = count}, bytes_of(weights_),
                            kPlane);
    for (std::int64_t column = 0; column < dim_; column += kColumns)
        multiply(bytes_of(weights_), value_panel(first, column), count, queries.result + column, queries.result_stride,
                 rows, first == 0 ? Sum::overwrite : Sum::accumulate);
}

}  // namespace kinescope
