#include "core/nn/cpu/flash_attention.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "core/base/cpu_vectors.h"
#include "core/base/round_up.h"
#include "core/device/cpu_level.h"
#include "core/nn/cpu/amx_attention.h"
#include "core/nn/cpu/amx_product.h"
#include "core/nn/cpu/attention_head.h"
#include "core/nn/cpu/gemm_kernel.h"
#include "core/nn/cpu/gemm_packing.h"
#include "core/nn/cpu/parallel_for_dynamic.h"
#include "core/nn/cpu/softmax_kernels.h"

namespace kinescope {

namespace {

using gemm_kernel::kPanelColumns;
using gemm_kernel::Sum;

/// With fewer tokens, LibTorch's attention is as fast.
constexpr std::int64_t kFewestTokens = 128;
/// The keys of a block, whose scores stay in the cache, and the distance between rows of scores. The padding at the end
/// of each row prevents rows from mapping to the same cache lines.
constexpr std::int64_t kKeys = 768, kRow = kKeys + kLanes;
/// kParts is the number of parts into which a head is divided for the threads. kQueriesToPackFor is the minimum number
/// of queries for which repacking the keys pays off.
constexpr std::int64_t kParts = 4, kQueriesToPackFor = 512;

Head head_of(const Tensor& x, std::int64_t batch, std::int64_t head) {
    return {x.const_data_ptr<float>() + batch * x.stride(0) + head * x.stride(1), x.stride(2), x.size(2)};
}

/// The keys and values of one head, packed for the GEMM kernel. Each thread uses its own instance.
class PackedHead {
public:
    PackedHead(std::int64_t keys, std::int64_t dim)
        : keys_(keys),
          dim_(dim),
          key_panels_(at::empty({round_up(keys, kPanelColumns) * dim}, at::kFloat)),
          value_panels_(at::empty({keys * dim}, at::kFloat)) {}

    static std::int64_t bytes(std::int64_t keys, std::int64_t dim) {
        return (round_up(keys, kPanelColumns) + keys) * dim * std::int64_t{sizeof(float)};
    }

    void pack(const Head& key, const Head& value) {
        for (std::int64_t first = 0; first < keys_; first += kPanelColumns)
            gemm_kernel::pack(gemm_kernel::WeightRows<float>{.first = key.tokens + first * key.stride,
                                                             .stride = key.stride,
                                                             .count = std::min(kPanelColumns, keys_ - first),
                                                             .depth = dim_},
                              key_panels_.mutable_data_ptr<float>() + first * dim_);
        float* to = value_panels_.mutable_data_ptr<float>();
        for (std::int64_t column = 0; column < dim_; column += kPanelColumns)
            for (std::int64_t i = 0; i < keys_; ++i, to += kPanelColumns)
                std::memcpy(to, value.tokens + i * value.stride + column, kPanelColumns * sizeof(float));
    }

    /// Returns the packed keys, starting with key `first`: [dim, kPanelColumns] for each panel.
    const float* keys(std::int64_t first) const { return key_panels_.const_data_ptr<float>() + first * dim_; }
    /// Returns the packed values of one group of columns, starting with the value of key `first`: [keys,
    /// kPanelColumns].
    const float* values(std::int64_t column, std::int64_t first) const {
        return value_panels_.const_data_ptr<float>() + column * keys_ + first * kPanelColumns;
    }
    std::int64_t count() const { return keys_; }
    std::int64_t dim() const { return dim_; }

private:
    std::int64_t keys_, dim_;
    Tensor key_panels_, value_panels_;
};

/// Attention of one head with the kernel for AVX-512. Each thread uses its own instance.
class Attention {
public:
    /// The most queries that run() takes.
    static constexpr std::int64_t kQueries = 56;

    Attention(std::int64_t keys, std::int64_t dim, float scale)
        : head_(keys, dim), scale_(scale), queries_(at::empty({kQueries, dim + kLanes}, at::kFloat)) {}

    void pack(const Head& key, const Head& value) { head_.pack(key, value); }

    void run(const Queries& queries) {
        rows_.fill({});
        copy(queries.query);
        for (std::int64_t first = 0; first < head_.count(); first += kKeys)
            add_keys(queries, first, std::min(kKeys, head_.count() - first));
        for (std::int64_t i = 0; i < queries.query.count; ++i)
            softmax_kernels::multiply(queries.result + i * queries.result_stride, head_.dim(), 1 / row(i).sum);
    }

private:
    /// Copies the queries. With a multiple of 4 KiB between queries, they would map to the same cache lines (measured
    /// with 40 heads: 83 instead of 111 GFLOP/s).
    void copy(const Head& query) {
        for (std::int64_t i = 0; i < query.count; ++i)
            std::copy_n(query.tokens + i * query.stride, head_.dim(),
                        queries_.mutable_data_ptr<float>() + i * queries_.stride(0));
    }

    void add_keys(const Queries& queries, std::int64_t first, std::int64_t count) {
        for (std::int64_t key = 0; key < count; key += kPanelColumns)
            gemm_kernel::multiply({.a = queries_.const_data_ptr<float>(),
                                   .a_stride = queries_.stride(0),
                                   .rows = queries.query.count,
                                   .b = head_.keys(first + key),
                                   .depth = head_.dim(),
                                   .c = scores_.data() + key,
                                   .c_stride = kRow});
        for (std::int64_t i = 0; i < queries.query.count; ++i) {
            const float factor = softmax_kernels::add_part(scores_.data() + i * kRow, count, scale_, row(i));
            if (first > 0) softmax_kernels::multiply(queries.result + i * queries.result_stride, head_.dim(), factor);
        }
        for (std::int64_t column = 0; column < head_.dim(); column += kPanelColumns)
            gemm_kernel::multiply({.a = scores_.data(),
                                   .a_stride = kRow,
                                   .rows = queries.query.count,
                                   .b = head_.values(column, first),
                                   .depth = count,
                                   .c = queries.result + column,
                                   .c_stride = queries.result_stride,
                                   .sum = first == 0 ? Sum::overwrite : Sum::accumulate});
    }

    softmax_kernels::Row& row(std::int64_t i) { return rows_[static_cast<std::size_t>(i)]; }

    PackedHead head_;
    float scale_;
    Tensor queries_;
    std::array<softmax_kernels::Row, kQueries> rows_;
    std::array<float, kQueries * kRow> scores_;
};

bool is_supported(std::int64_t keys, std::int64_t dim) {
    return cpu_level() >= CpuLevel::avx512 && dim > 0 && dim % kPanelColumns == 0 && keys >= kFewestTokens;
}

/// Computes all heads with one instance of `Worker` per thread.
template <class Worker>
Tensor attend(const Tensor& query, const Tensor& key, const Tensor& value, double scale) {
    const auto heads = query.size(1), tokens = query.size(2), dim = query.size(3), all = query.size(0) * heads;
    const auto result = at::empty({query.size(0), tokens, heads, dim}, query.options());
    const auto parts =
        std::min(std::max(kParts, count_parts(at::get_num_threads(), all)), count_parts(tokens, kQueriesToPackFor));
    parallel_for_dynamic(all * parts, [&](DynamicTasks& tasks) {
        const auto worker = std::make_unique<Worker>(key.size(2), dim, static_cast<float>(scale));
        std::int64_t packed_head = -1;
        const auto run_part = [&](std::int64_t head, std::int64_t part) {
            const auto batch_index = head / heads, head_index = head % heads;
            if (std::exchange(packed_head, head) != head)
                worker->pack(head_of(key, batch_index, head_index), head_of(value, batch_index, head_index));
            const Head all_queries = head_of(query, batch_index, head_index);
            const auto last = tokens * (part + 1) / parts;
            for (auto first = tokens * part / parts; first < last; first += Worker::kQueries)
                worker->run({.query = {all_queries.tokens + first * all_queries.stride, all_queries.stride,
                                       std::min(Worker::kQueries, last - first)},
                             .result = result.mutable_data_ptr<float>() +
                                       ((batch_index * tokens + first) * heads + head_index) * dim,
                             .result_stride = heads * dim});
        };
        for (auto run = tasks.next_batch(parts); run.count > 0; run = tasks.next_batch(parts))
            for (auto i = run.first; i < run.first + run.count; ++i) run_part(i / parts, i % parts);
    });
    return result.transpose(1, 2);
}

}  // namespace

std::int64_t flash_attention_bytes(std::int64_t keys, std::int64_t head_dim, int threads) {
    if (!is_supported(keys, head_dim)) return 0;
    const auto bytes =
        amx_product::is_usable() ? AmxAttention::packed_bytes(keys, head_dim) : PackedHead::bytes(keys, head_dim);
    return threads * bytes;
}

bool takes_flash_attention(const Tensor& query, const Tensor& key, const Tensor& value) {
    const auto is_readable = [](const Tensor& x) {
        return x.is_cpu() && x.scalar_type() == at::kFloat && x.dim() == 4 && x.stride(3) == 1;
    };
    return is_readable(query) && is_readable(key) && is_readable(value) && query.size(3) == value.size(3) &&
           query.size(2) >= kFewestTokens && is_supported(key.size(2), query.size(3));
}

Tensor flash_attention(const Tensor& query, const Tensor& key, const Tensor& value, double scale) {
    RECORD_FUNCTION("kinescope::attention", {});
    return amx_product::is_usable() ? attend<AmxAttention>(query, key, value, scale)
                                    : attend<Attention>(query, key, value, scale);
}

}  // namespace kinescope
