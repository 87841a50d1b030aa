#include "core/nn/cpu/amx_linear.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstddef>

#include "core/nn/cpu/amx_product.h"
#include "core/nn/cpu/byte_memory.h"
#include "core/nn/cpu/parallel_for_dynamic.h"
#include "core/nn/cpu/task_grid.h"

namespace kinescope::amx_linear {

namespace {

using amx_product::Parts;
using gemm_kernel::kPanelColumns;
using gemm_kernel::Sum;

static_assert(kPanelColumns == amx_product::kColumns);

/// The minimum number of rows. For fewer rows, splitting the weight costs more than it saves.
constexpr std::int64_t kFewestRows = 64;
/// The size of a block of packed weights: with float32 weights 1.2 MB, which fit in a core's L2 cache together with a
/// block of rows.
constexpr std::int64_t kDepth = 384, kPanelsOfBlock = 16;

constexpr Parts parts_of(float) {
    return Parts::three;
}
constexpr Parts parts_of(at::Half) {
    return Parts::two;
}
constexpr Parts parts_of(at::BFloat16) {
    return Parts::one;
}

/// Memory of a thread. The tensors are aligned to 64 bytes.
class Workspace {
public:
    explicit Workspace(Parts parts)
        : bytes_of_panel_(amx_product::bytes_of_panel(kDepth, parts)),
          numbers_(at::empty({kDepth * kPanelColumns}, at::kFloat)),
          rows_(allocate_bytes(amx_product::bytes_of_rows(kDepth, amx_product::kBlockPlane))),
          panels_(allocate_bytes(kPanelsOfBlock * bytes_of_panel_)) {}

    float* numbers() const { return numbers_.mutable_data_ptr<float>(); }
    std::byte* rows() const { return bytes_of(rows_); }
    std::byte* panel(std::int64_t index) const { return bytes_of(panels_) + index * bytes_of_panel_; }

private:
    std::int64_t bytes_of_panel_;
    Tensor numbers_, rows_, panels_;
};

/// Multiplies elements `from` to `from + depth` of at most amx_product::kRows rows with the panels of `block`.
template <class T>
void multiply_rows(const LinearOperands<T>& of, const Block& block, std::int64_t from, std::int64_t depth,
                   const Workspace& work) {
    amx_product::split_rows({.first = of.x + block.first_row * of.x_stride + from,
                             .stride = of.x_stride,
                             .count = block.rows,
                             .depth = depth},
                            work.rows(), amx_product::kBlockPlane);
    for (std::int64_t i = 0; i < block.panels; ++i) {
        const auto panel = block.first_panel + i;
        float* const c = of.results(block.first_row, panel);
        const auto stride = of.result_stride(panel);
        const bool continues = from > 0 || of.sum == Sum::accumulate;
        amx_product::multiply({.a = work.rows(),
                               .rows = block.rows,
                               .b = work.panel(i),
                               .parts = parts_of(T()),
                               .depth = depth,
                               .c = c,
                               .c_stride = stride,
                               .start = continues ? c : of.offset(panel),
                               .start_stride = continues ? stride : 0});
    }
}

template <class T>
void multiply_block(const LinearOperands<T>& of, const Block& block, const Workspace& work) {
    const auto end = block.first_row + block.rows;
    for (std::int64_t from = 0; from < of.in; from += kDepth) {
        const auto depth = std::min(kDepth, of.in - from);
        for (std::int64_t i = 0; i < block.panels; ++i) {
            gemm_kernel::pack(of.weight_rows(block.first_panel + i, from, depth), work.numbers());
            amx_product::split_panel(work.numbers(), depth, parts_of(T()), work.panel(i));
        }
        for (auto row = block.first_row; row < end; row += amx_product::kRows)
            multiply_rows(of, {row, std::min(amx_product::kRows, end - row), block.first_panel, block.panels}, from,
                          depth, work);
    }
}

template <class T>
void multiply_all(const LinearOperands<T>& of) {
    const TaskGrid grid(of.rows, of.panels(), at::get_num_threads(), kFewestRows);
    parallel_for_dynamic(grid.tasks(), [&](DynamicTasks& tasks) {
        const Workspace work(parts_of(T()));
        const amx_product::TileRegisters registers;
        for (auto batch = tasks.next_batch(kPanelsOfBlock); batch.count > 0; batch = tasks.next_batch(kPanelsOfBlock))
            while (batch.count > 0) multiply_block(of, grid.take_block(batch), work);
    });
}

}  // namespace

bool pays(std::int64_t rows) {
    return rows >= kFewestRows && amx_product::is_usable();
}

void multiply(const LinearOperands<float>& of) {
    multiply_all(of);
}

void multiply(const LinearOperands<at::BFloat16>& of) {
    multiply_all(of);
}

void multiply(const LinearOperands<at::Half>& of) {
    multiply_all(of);
}

}  // namespace kinescope::amx_linear
