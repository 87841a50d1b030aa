#include "core/nn/cpu/linear_product.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>

#include "core/base/cpu_vectors.h"
#include "core/base/round_up.h"
#include "core/nn/cpu/amx_linear.h"
#include "core/nn/cpu/few_rows_product.h"
#include "core/nn/cpu/gemm_kernel.h"
#include "core/nn/cpu/gemm_packing.h"
#include "core/nn/cpu/linear_operands.h"
#include "core/nn/cpu/parallel_for_dynamic.h"
#include "core/nn/cpu/plain_floats.h"
#include "core/nn/cpu/stored_type.h"
#include "core/nn/cpu/task_grid.h"

namespace kinescope {

namespace {

using gemm_kernel::kPanelColumns;
using gemm_kernel::Sum;

/// The minimum number of rows of x. few_rows_product multiplies fewer rows, for which packing the weight would cost
/// more than it saves.
constexpr std::int64_t kFewestRows = 32;
/// The size of a block of packed weights: 768 KiB, which fit in a core's L2 cache together with rows of x.
constexpr std::int64_t kDepth = 1536;
constexpr std::int64_t kPanelsOfBlock = 4;
/// The maximum number of rows of x that are multiplied with a block at a time.
constexpr std::int64_t kMostRowsOfBlock = 56;
/// Rows at a multiple of this distance share one set of the L1 cache, which holds 8 or 12 lines. The rows of a tile
/// then evict each other before the kernel has used the rest of their lines. Copying x first is faster: 103 to 106
/// instead of 78 to 82 GFLOP/s with 768 rows of 2048 to 5120 numbers (one core of an AMD EPYC, including the copy).
constexpr std::int64_t kDistanceOfSet = 4096 / sizeof(float);
/// The rows of a smaller tile, such as the one for AVX2, fit into one set.
constexpr std::int64_t kLinesOfSet = 8;
/// The minimum number of columns of the result for which copying x pays off.
constexpr std::int64_t kFewestColumnsToCopyFor = 256;
/// The minimum number of rows that are copied at a time. For fewer rows, packing the weight again would cost too much.
constexpr std::int64_t kFewestRowsOfCopy = 1536;

/// Returns the number of rows of x that are multiplied with a block at a time: whole tiles of the kernel.
std::int64_t rows_of_block() {
    return kMostRowsOfBlock / gemm_kernel::most_rows_of_tile() * gemm_kernel::most_rows_of_tile();
}

/// Returns the number of elements of a weight's row that are multiplied in one step.
std::int64_t depth_of(std::int64_t in) {
    return round_up(count_parts(in, count_parts(in, kDepth)), kLanes);
}

template <class T>
void pack_block(const LinearOperands<T>& of, const Block& block, std::int64_t from, std::int64_t depth, float* packed) {
    for (std::int64_t i = 0; i < block.panels; ++i)
        gemm_kernel::pack(of.weight_rows(block.first_panel + i, from, depth),
                          packed + i * depth_of(of.in) * kPanelColumns);
}

/// Multiplies `depth` elements of the rows of `block`, starting at element `from`. Prefetches the rows after the block,
/// up to row `end`.
template <class T>
void multiply_rows(const LinearOperands<T>& of, const Block& block, std::int64_t end, std::int64_t from,
                   std::int64_t depth, const float* packed) {
    const auto fetched = gemm_kernel::fetched_rows(block.rows);
    for (std::int64_t i = 0; i < block.panels; ++i) {
        const auto panel = block.first_panel + i, next_row = block.first_row + block.rows + i * fetched;
        const bool has_next = i + 1 < block.panels && of.is_whole(panel + 1);
        gemm_kernel::multiply({.a = of.x + block.first_row * of.x_stride + from,
                               .a_stride = of.x_stride,
                               .rows = block.rows,
                               .b = packed + i * depth_of(of.in) * kPanelColumns,
                               .depth = depth,
                               .c = of.results(block.first_row, panel),
                               .c_stride = of.result_stride(panel),
                               .sum = from == 0 ? of.sum : Sum::accumulate,
                               .offset = of.offset(panel),
                               .next_c = has_next ? of.results(block.first_row, panel + 1) : nullptr,
                               .next_a = next_row + fetched <= end ? of.x + next_row * of.x_stride + from : nullptr});
    }
}

template <class T>
void multiply_block(const LinearOperands<T>& of, const Block& block, float* packed) {
    const auto step = depth_of(of.in), end = block.first_row + block.rows, most = rows_of_block();
    for (std::int64_t from = 0; from < of.in; from += step) {
        const auto depth = std::min(step, of.in - from);
        pack_block(of, block, from, depth, packed);
        for (auto row = block.first_row; row < end; row += most)
            multiply_rows(of, {row, std::min(most, end - row), block.first_panel, block.panels}, end, from, depth,
                          packed);
    }
}

template <class T>
void multiply_all(const LinearOperands<T>& of) {
    const std::int64_t threads = at::get_num_threads();
    const TaskGrid grid(of.rows, of.panels(), threads, rows_of_block());
    constexpr std::int64_t kPackedBlock = kPanelsOfBlock * kDepth * kPanelColumns;
    const std::int64_t most = kPackedBlock / (depth_of(of.in) * kPanelColumns);
    const auto memory = at::empty({threads, kPackedBlock}, at::kFloat);
    float* const packed = memory.mutable_data_ptr<float>();
    parallel_for_dynamic(grid.tasks(), [&](DynamicTasks& tasks) {
        float* const own = packed + at::get_thread_num() * kPackedBlock;
        for (auto batch = tasks.next_batch(most); batch.count > 0; batch = tasks.next_batch(most))
            while (batch.count > 0) multiply_block(of, grid.take_block(batch), own);
    });
}

/// Returns x as a matrix [rows, in] whose rows are contiguous.
Tensor rows_of(const Tensor& x) {
    const auto rows = x.flatten(0, -2);
    return rows.stride(1) == 1 ? rows : rows.contiguous();
}

Tensor whole_panels(const Tensor& bias) {
    const auto missing = round_up(bias.numel(), kPanelColumns) - bias.numel();
    const auto offsets = bias.to(at::kFloat).contiguous();
    return missing == 0 ? offsets : at::constant_pad_nd(offsets, {0, missing});
}

template <class T>
void multiply(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& offsets, Sum sum) {
    const auto out = weight.size(0), rest = out % kPanelColumns;
    Tensor tail;
    if (rest != 0) tail = at::empty({x.size(0), kPanelColumns}, at::kFloat);
    auto of_tail = [&] { return tail.narrow(1, 0, rest); };
    auto of_y = [&] { return y.narrow(1, out - rest, rest); };
    if (rest != 0 && sum == Sum::accumulate) of_tail().copy_(of_y());
    const LinearOperands<T> operands{.x = x.const_data_ptr<float>(),
                                     .x_stride = x.stride(0),
                                     .rows = x.size(0),
                                     .in = x.size(1),
                                     .out = out,
                                     .weight = weight.const_data_ptr<T>(),
                                     .weight_stride = weight.stride(0),
                                     .offsets = offsets.defined() ? offsets.const_data_ptr<float>() : nullptr,
                                     .y = y.mutable_data_ptr<float>(),
                                     .tail = rest != 0 ? tail.mutable_data_ptr<float>() : nullptr,
                                     .sum = sum};
    if (amx_linear::pays(x.size(0)))
        amx_linear::multiply(operands);
    else
        multiply_all(operands);
    if (rest != 0) of_y().copy_(of_tail());
}

template <class T>
void multiply_few(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& offsets) {
    const few_rows_product::Product<T> product{.x = x.const_data_ptr<float>(),
                                               .x_stride = x.stride(0),
                                               .rows = x.size(0),
                                               .depth = x.size(1),
                                               .weight = weight.const_data_ptr<T>(),
                                               .weight_stride = weight.stride(0),
                                               .offset = offsets.defined() ? offsets.const_data_ptr<float>() : nullptr,
                                               .y = y.mutable_data_ptr<float>(),
                                               .y_stride = y.size(1)};
    at::parallel_for(0, weight.size(0), rows_at_once(weight.size(1)),
                     [&](std::int64_t begin, std::int64_t end) { multiply(product, begin, end); });
}

void multiply_stored(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& offsets, Sum sum) {
    with_stored_type(weight, [&](auto number) { multiply<decltype(number)>(y, x, weight, offsets, sum); });
}

bool evict_each_other(std::int64_t rows, std::int64_t distance) {
    return distance % kDistanceOfSet == 0 && gemm_kernel::most_rows_of_tile() > kLinesOfSet && !amx_linear::pays(rows);
}

/// The memory for copies of rows of x: [rows, distance].
struct CopySize {
    std::int64_t parts, rows, distance;
};

CopySize copy_size(std::int64_t rows, std::int64_t in) {
    const auto parts = std::max<std::int64_t>(rows / kFewestRowsOfCopy, 1);
    return {parts, count_parts(rows, parts), round_up(in, kDistanceOfSet) + kLanes};
}

/// Multiplies copies of some rows at a time, whose distance spreads them over the cache.
void multiply_copies(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& offsets, Sum sum) {
    const auto rows = x.size(0), in = x.size(1);
    const auto size = copy_size(rows, in);
    const auto memory = at::empty({size.rows, size.distance}, x.options());
    for (std::int64_t part = 0; part < size.parts; ++part) {
        const auto first = rows * part / size.parts, count = rows * (part + 1) / size.parts - first;
        const auto copy = memory.narrow(0, 0, count).narrow(1, 0, in);
        copy.copy_(x.narrow(0, first, count));
        multiply_stored(y.narrow(0, first, count), copy, weight, offsets, sum);
    }
}

void multiply_many(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& offsets, Sum sum) {
    if (weight.size(0) >= kFewestColumnsToCopyFor && evict_each_other(x.size(0), x.stride(0)))
        multiply_copies(y, x, weight, offsets, sum);
    else
        multiply_stored(y, x, weight, offsets, sum);
}

void multiply_few_stored(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& offsets) {
    with_stored_type(weight, [&](auto number) { multiply_few<decltype(number)>(y, x, weight, offsets); });
}

/// Returns true if the kernels support these operands. Returns false if the sizes do not match, so that LibTorch
/// reports the error.
bool is_readable(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const auto dtype = weight.scalar_type();
    const bool is_plain_type = dtype == at::kFloat || dtype == at::kBFloat16 || dtype == at::kHalf;
    return gemm_kernel::is_supported() && x.is_cpu() && x.scalar_type() == at::kFloat && weight.is_cpu() &&
           is_plain_type && weight.stride(1) == 1 && x.dim() > 1 && x.numel() > 0 && x.size(-1) == weight.size(1) &&
           (!bias.defined() || bias.numel() == weight.size(0));
}

bool has_few_rows(const Tensor& x) {
    return x.numel() / x.size(-1) < kFewestRows;
}

}  // namespace

Tensor linear_product(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    RECORD_FUNCTION("kinescope::linear", {});
    if (!is_readable(x, weight, bias))
        return at::linear(x, weight.to(at::kFloat), bias.defined() ? bias.to(at::kFloat) : bias);
    auto shape = x.sizes().vec();
    shape.back() = weight.size(0);
    const auto y = at::empty(shape, x.options());
    const auto offsets = bias.defined() ? whole_panels(bias) : bias;
    if (has_few_rows(x))
        multiply_few_stored(y.flatten(0, -2), rows_of(x), weight, offsets);
    else
        multiply_many(y.flatten(0, -2), rows_of(x), weight, offsets, Sum::overwrite);
    return y;
}

void add_linear_product(const Tensor& y, const Tensor& x, const Tensor& weight) {
    RECORD_FUNCTION("kinescope::linear", {});
    if (is_plain(y) && is_readable(x, weight, {}) && !has_few_rows(x))
        multiply_many(y, x, weight, {}, Sum::accumulate);
    else
        y.addmm_(x, weight.to(at::kFloat).t());
}

std::int64_t linear_product_bytes(std::int64_t rows, std::int64_t in) {
    if (!gemm_kernel::is_supported() || rows < kFewestRows || !evict_each_other(rows, in)) return 0;
    const auto size = copy_size(rows, in);
    return size.rows * size.distance * std::int64_t{sizeof(float)};
}

std::optional<std::int64_t> rows_for_free_widening() {
    return gemm_kernel::is_supported() ? std::optional(kFewestRows) : std::nullopt;
}

}  // namespace kinescope
