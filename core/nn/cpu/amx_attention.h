#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/device/tensor.h"
#include "core/nn/cpu/amx_product.h"
#include "core/nn/cpu/attention_head.h"
#include "core/nn/cpu/gemm_kernel.h"
#include "core/nn/cpu/softmax_kernels.h"

namespace kinescope {

/// Attention of one head with AMX's products. Each thread creates and uses its own instance.
class AmxAttention {
public:
    /// The most queries that run() takes.
    static constexpr std::int64_t kQueries = 64;

    /// `dim` is a multiple of amx_product::kColumns.
    AmxAttention(std::int64_t keys, std::int64_t dim, float scale);

    /// Returns the bytes of the split keys and values of a head.
    static std::int64_t packed_bytes(std::int64_t keys, std::int64_t dim);

    /// Splits the keys and values of a head, for all following runs.
    void pack(const Head& key, const Head& value);
    void run(const Queries& queries);

private:
    /// The keys of a block, whose scores stay in the cache.
    static constexpr std::int64_t kKeys = 768, kPlane = kQueries * amx_product::kRowBytes;

    static std::int64_t bytes_of_values(std::int64_t keys, std::int64_t dim);
    void add_keys(const Queries& queries, std::int64_t first, std::int64_t count);
    void multiply(const std::byte* rows, const std::byte* panel, std::int64_t depth, float* c, std::int64_t stride,
                  std::int64_t count, gemm_kernel::Sum sum) const;
    std::byte* key_panel(std::int64_t key) const;
    std::byte* value_panel(std::int64_t first_key, std::int64_t column) const;
    softmax_kernels::Row& row(std::int64_t i) { return rows_[static_cast<std::size_t>(i)]; }

    amx_product::TileRegisters registers_;
    std::int64_t keys_, dim_;
    float scale_;
    Tensor key_panels_;    ///< one for each kColumns keys
    Tensor value_panels_;  ///< [blocks of kKeys keys, dim / kColumns]
    Tensor numbers_;       ///< keys or values of a panel before they are split: rows of kColumns
    Tensor query_;         ///< split rows
    Tensor scores_;        ///< [kQueries, kKeys], with padded rows
    Tensor weights_;       ///< split rows of the scores after the softmax
    std::array<softmax_kernels::Row, kQueries> rows_;
};

}  // namespace kinescope
