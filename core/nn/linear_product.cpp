#include "core/nn/linear_product.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>

#include "core/base/cpu_vectors.h"
#include "core/base/round_up.h"
#include "core/nn/few_rows_product.h"
#include "core/nn/plain_floats.h"
#include "core/nn/share_out.h"
#include "core/nn/strip_packing.h"
#include "core/nn/strip_product.h"

namespace kinescope {

namespace {

using strip_product::kStrip;
using strip_product::Sum;

/// Fewer rows are multiplied by few_rows_product: to turn the weight into strips costs more than it brings them.
constexpr std::int64_t kFewestRows = 32;
/// What a core's second cache holds beside rows of x: a panel of weights, 768 KiB.
constexpr std::int64_t kDepth = 1536;
constexpr std::int64_t kStripsOfPanel = 4;
/// Rows of x that meet a panel at a time: whole runs of the inner loop.
constexpr std::int64_t kRowsOfBlock = 56;
/// Rows for which all weights may be packed once more: that costs 1 % of the products.
constexpr std::int64_t kRowsToPackFor = 1536;
/// The same where there are so few strips that the threads would end at different times: 4 %.
constexpr std::int64_t kFewestRowsToPackFor = 384;
constexpr std::int64_t kPartsOfThread = 8;
/// The last strips of each thread are shared out in pieces of some of the rows: a thread that is done with its own
/// would else wait half a strip's time for the others, 1 to 2 % of a product with 60 strips.
constexpr std::int64_t kStripsInPieces = 2, kMostPieces = 4, kFewestRowsOfPiece = 192;

template <class T>
struct Operands {
    const float* x;
    std::int64_t x_stride, rows, in, out;
    const T* weight;
    std::int64_t weight_stride;
    const float* offsets;  ///< whole strips, or none
    float* y;
    float* tail;  ///< [rows, kStrip]: the results of a strip that is not whole
    Sum sum;

    std::int64_t strips() const { return count_parts(out, kStrip); }
    bool is_whole(std::int64_t strip) const { return (strip + 1) * kStrip <= out; }
};

/// The part of the result that one thread works out at a time.
struct Panel {
    std::int64_t first_row, rows, first_strip, strips;
};

/// Numbers of a row that are multiplied before the next ones are.
std::int64_t depth_of(std::int64_t in) {
    return round_up(count_parts(in, count_parts(in, kDepth)), kLanes);
}

/// Into how many parts of its rows the result is divided; threads share out the strips of all of them.
std::int64_t parts_of_rows(std::int64_t rows, std::int64_t strips, std::int64_t threads) {
    const auto parts = std::max<std::int64_t>(rows / kRowsToPackFor, 1), wanted = kPartsOfThread * threads;
    if (parts * strips >= wanted) return parts;
    const auto most = strips < threads ? count_parts(rows, kRowsOfBlock) : rows / kFewestRowsToPackFor;
    return std::clamp<std::int64_t>(count_parts(wanted, strips), 1, std::max(parts, most));
}

/// The result as shares: strips of a part of the rows, and pieces of the last ones.
class Division {
public:
    Division(std::int64_t rows, std::int64_t strips, std::int64_t threads)
        : rows_(rows),
          strips_(strips),
          parts_(parts_of_rows(rows, strips, threads)),
          pieces_(std::clamp<std::int64_t>(rows / parts_ / kFewestRowsOfPiece, 1, kMostPieces)),
          whole_(threads == 1 ? parts_ * strips
                              : std::max<std::int64_t>(parts_ * strips - kStripsInPieces * threads, 0)) {}

    std::int64_t shares() const { return whole_ + (parts_ * strips_ - whole_) * pieces_; }

    /// Takes off the run what is one panel.
    Panel take_panel(Shares::Run& run) const {
        const bool is_whole = run.first < whole_;
        const auto piece = is_whole ? 0 : (run.first - whole_) % pieces_;
        const auto unit = is_whole ? run.first : whole_ + (run.first - whole_) / pieces_;
        const auto part = unit / strips_, strip = unit % strips_;
        const auto most = is_whole ? std::min(strips_ - strip, whole_ - run.first) : pieces_ - piece;
        const auto count = std::min(run.count, most);
        run = {run.first + count, run.count - count};
        const auto first = rows_ * part / parts_, rows = rows_ * (part + 1) / parts_ - first;
        if (is_whole) return {first, rows, strip, count};
        const auto begin = rows * piece / pieces_;
        return {first + begin, rows * (piece + count) / pieces_ - begin, strip, 1};
    }

private:
    std::int64_t rows_, strips_, parts_, pieces_;
    std::int64_t whole_;  ///< strips of parts that are not in pieces
};

template <class T>
void pack_panel(const Operands<T>& of, const Panel& panel, std::int64_t from, std::int64_t depth, float* packed) {
    for (std::int64_t i = 0; i < panel.strips; ++i) {
        const auto column = (panel.first_strip + i) * kStrip;
        strip_product::pack({.first = of.weight + column * of.weight_stride + from,
                             .stride = of.weight_stride,
                             .count = std::min(kStrip, of.out - column),
                             .depth = depth},
                            packed + i * depth_of(of.in) * kStrip);
    }
}

/// `block` with numbers from `from` on of its rows; rows before `end` come next.
template <class T>
void multiply_block(const Operands<T>& of, const Panel& block, std::int64_t end, std::int64_t from, std::int64_t depth,
                    const float* packed) {
    const auto result = [&](std::int64_t strip) {
        return of.is_whole(strip) ? of.y + block.first_row * of.out + strip * kStrip
                                  : of.tail + block.first_row * kStrip;
    };
    const auto fetched = strip_product::fetched_rows(block.rows);
    for (std::int64_t i = 0; i < block.strips; ++i) {
        const auto strip = block.first_strip + i, next_row = block.first_row + block.rows + i * fetched;
        strip_product::multiply({.a = of.x + block.first_row * of.x_stride + from,
                                 .a_stride = of.x_stride,
                                 .rows = block.rows,
                                 .b = packed + i * depth_of(of.in) * kStrip,
                                 .depth = depth,
                                 .c = result(strip),
                                 .c_stride = of.is_whole(strip) ? of.out : kStrip,
                                 .sum = from == 0 ? of.sum : Sum::goes_on,
                                 .offset = of.offsets != nullptr ? of.offsets + strip * kStrip : nullptr,
                                 .next_c = i + 1 < block.strips && of.is_whole(strip + 1) ? result(strip + 1) : nullptr,
                                 .next_a = next_row + fetched <= end ? of.x + next_row * of.x_stride + from : nullptr});
    }
}

template <class T>
void multiply_panel(const Operands<T>& of, const Panel& panel, float* packed) {
    const auto step = depth_of(of.in), end = panel.first_row + panel.rows;
    for (std::int64_t from = 0; from < of.in; from += step) {
        const auto depth = std::min(step, of.in - from);
        pack_panel(of, panel, from, depth, packed);
        for (auto row = panel.first_row; row < end; row += kRowsOfBlock)
            multiply_block(of, {row, std::min(kRowsOfBlock, end - row), panel.first_strip, panel.strips}, end, from,
                           depth, packed);
    }
}

template <class T>
void multiply_all(const Operands<T>& of) {
    const std::int64_t threads = at::get_num_threads();
    const Division division(of.rows, of.strips(), threads);
    constexpr std::int64_t kPanel = kStripsOfPanel * kDepth * kStrip;
    const std::int64_t most = kPanel / (depth_of(of.in) * kStrip);
    const auto memory = at::empty({threads, kPanel}, at::kFloat);
    float* const packed = memory.mutable_data_ptr<float>();
    share_out(division.shares(), [&](Shares& shares) {
        float* const own = packed + at::get_thread_num() * kPanel;
        for (auto run = shares.take_run(most); run.count > 0; run = shares.take_run(most))
            while (run.count > 0) multiply_panel(of, division.take_panel(run), own);
    });
}

/// Rows of x with their numbers side by side.
Tensor rows_of(const Tensor& x) {
    const auto rows = x.flatten(0, -2);
    return rows.stride(1) == 1 ? rows : rows.contiguous();
}

Tensor whole_strips(const Tensor& bias) {
    const auto missing = round_up(bias.numel(), kStrip) - bias.numel();
    const auto offsets = bias.to(at::kFloat).contiguous();
    return missing == 0 ? offsets : at::constant_pad_nd(offsets, {0, missing});
}

template <class T>
void multiply(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& offsets, Sum sum) {
    const auto out = weight.size(0), rest = out % kStrip;
    Tensor tail;
    if (rest != 0) tail = at::empty({x.size(0), kStrip}, at::kFloat);
    auto of_tail = [&] { return tail.narrow(1, 0, rest); };
    auto of_y = [&] { return y.narrow(1, out - rest, rest); };
    if (rest != 0 && sum == Sum::goes_on) of_tail().copy_(of_y());
    multiply_all(Operands<T>{.x = x.const_data_ptr<float>(),
                             .x_stride = x.stride(0),
                             .rows = x.size(0),
                             .in = x.size(1),
                             .out = out,
                             .weight = weight.const_data_ptr<T>(),
                             .weight_stride = weight.stride(0),
                             .offsets = offsets.defined() ? offsets.const_data_ptr<float>() : nullptr,
                             .y = y.mutable_data_ptr<float>(),
                             .tail = rest != 0 ? tail.mutable_data_ptr<float>() : nullptr,
                             .sum = sum});
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

/// Calls `work` with a number of the type that the weight is stored in.
template <class Work>
void with_stored_type(const Tensor& weight, const Work& work) {
    switch (weight.scalar_type()) {
        case at::kBFloat16:
            return work(at::BFloat16());
        case at::kHalf:
            return work(at::Half());
        default:
            return work(float());
    }
}

void multiply_stored(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& offsets, Sum sum) {
    with_stored_type(weight, [&](auto number) { multiply<decltype(number)>(y, x, weight, offsets, sum); });
}

void multiply_few_stored(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& offsets) {
    with_stored_type(weight, [&](auto number) { multiply_few<decltype(number)>(y, x, weight, offsets); });
}

/// What does not fit together is left to the library, which says so.
bool is_readable(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const auto dtype = weight.scalar_type();
    const bool is_plain_type = dtype == at::kFloat || dtype == at::kBFloat16 || dtype == at::kHalf;
    return strip_product::is_wide() && x.is_cpu() && x.scalar_type() == at::kFloat && weight.is_cpu() &&
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
    const auto offsets = bias.defined() ? whole_strips(bias) : bias;
    if (has_few_rows(x))
        multiply_few_stored(y.flatten(0, -2), rows_of(x), weight, offsets);
    else
        multiply_stored(y.flatten(0, -2), rows_of(x), weight, offsets, Sum::begins);
    return y;
}

void add_linear_product(const Tensor& y, const Tensor& x, const Tensor& weight) {
    RECORD_FUNCTION("kinescope::linear", {});
    if (is_plain(y) && is_readable(x, weight, {}) && !has_few_rows(x))
        multiply_stored(y, x, weight, {}, Sum::goes_on);
    else
        y.addmm_(x, weight.to(at::kFloat).t());
}

std::optional<std::int64_t> rows_for_free_widening() {
    return strip_product::is_wide() ? std::optional(kFewestRows) : std::nullopt;
}

}  // namespace kinescope
