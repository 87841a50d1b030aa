#include "core/nn/cpu/int8_product.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

#include "core/base/round_up.h"
#include "core/nn/cpu/int8_kernels.h"
#include "core/nn/cpu/task_grid.h"

namespace kinescope {

namespace {

using int8_kernels::kPackedDepth;
using int8_kernels::kPanelColumns;
using int8_kernels::Sum;

/// The size of a block of packed weights: 384 KiB, which fit in a core's L2 cache.
constexpr std::int64_t kInt8Depth = 1536, kInt8Panels = 4, kPackedPanel = kInt8Depth * kPanelColumns;
/// The number of rows of x that are multiplied with a block at a time.
constexpr std::int64_t kRowsOfBlock = 70;

struct Operands {
    const std::int16_t* x;
    std::int64_t x_stride, rows, in, out;
    const std::int8_t* weight;
    std::int64_t weight_stride;
    std::int32_t* y;
};

/// A part of the depth of a product.
struct Slice {
    std::int64_t from, depth;
};

void pack_block(const Operands& of, const Block& block, const Slice& slice, std::int16_t* packed) {
    for (std::int64_t i = 0; i < block.panels; ++i) {
        const auto column = (block.first_panel + i) * kPanelColumns;
        int8_kernels::pack({.first = of.weight + column * of.weight_stride + slice.from,
                            .stride = of.weight_stride,
                            .count = std::min(kPanelColumns, of.out - column),
                            .depth = slice.depth},
                           packed + i * kPackedPanel);
    }
}

void multiply_rows(const Operands& of, const Block& block, const Slice& slice, const std::int16_t* packed) {
    for (std::int64_t i = 0; i < block.panels; ++i) {
        const auto column = (block.first_panel + i) * kPanelColumns;
        int8_kernels::multiply({.a = of.x + block.first_row * of.x_stride + slice.from,
                                .a_stride = of.x_stride,
                                .rows = block.rows,
                                .b = packed + i * kPackedPanel,
                                .pairs = count_parts(slice.depth, std::int64_t{2}),
                                .c = of.y + block.first_row * of.out + column,
                                .c_stride = of.out,
                                .columns = std::min(kPanelColumns, of.out - column),
                                .sum = slice.from == 0 ? Sum::overwrite : Sum::accumulate});
    }
}

void multiply_block(const Operands& of, const Block& block, std::int16_t* packed) {
    const auto step = round_up(count_parts(of.in, count_parts(of.in, kInt8Depth)), kPackedDepth);
    const auto end = block.first_row + block.rows;
    for (std::int64_t from = 0; from < of.in; from += step) {
        const Slice slice{from, std::min(step, of.in - from)};
        pack_block(of, block, slice, packed);
        for (auto row = block.first_row; row < end; row += kRowsOfBlock)
            multiply_rows(of, {row, std::min(kRowsOfBlock, end - row), block.first_panel, block.panels}, slice, packed);
    }
}

}  // namespace

std::int64_t padded_int8_row(std::int64_t in) {
    constexpr std::int64_t kLine = 64 / sizeof(std::int16_t);
    return (count_parts(in, kLine) | 1) * kLine;
}

Tensor int8_product(const Tensor& x, const Tensor& weight) {
    const Tensor rows = weight.contiguous(), y = at::empty({x.size(0), weight.size(0)}, at::kInt);
    const Operands of{.x = x.const_data_ptr<std::int16_t>(),
                      .x_stride = x.stride(0),
                      .rows = x.size(0),
                      .in = weight.size(1),
                      .out = weight.size(0),
                      .weight = rows.const_data_ptr<std::int8_t>(),
                      .weight_stride = rows.stride(0),
                      .y = y.mutable_data_ptr<std::int32_t>()};
    const std::int64_t threads = at::get_num_threads();
    const TaskGrid grid(of.rows, count_parts(of.out, kPanelColumns), threads, kRowsOfBlock);
    const auto memory = at::empty({threads, kInt8Panels * kPackedPanel}, at::kShort);
    auto* const packed = memory.mutable_data_ptr<std::int16_t>();
    parallel_for_dynamic(grid.tasks(), [&](DynamicTasks& tasks) {
        auto* const own = packed + at::get_thread_num() * kInt8Panels * kPackedPanel;
        for (auto batch = tasks.next_batch(kInt8Panels); batch.count > 0; batch = tasks.next_batch(kInt8Panels))
            while (batch.count > 0) multiply_block(of, grid.take_block(batch), own);
    });
    return y;
}

}  // namespace kinescope
