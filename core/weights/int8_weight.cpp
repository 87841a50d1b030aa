#include "core/weights/int8_weight.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace kinescope {

namespace {

constexpr double kLargest = 127;

/// Number of rows to round together, which limits temporary memory.
constexpr std::int64_t kRowsAtOnce = 256;

struct RoundedRows {
    Tensor values;   ///< int8 [n, in]; zero in coarse rows
    Tensor scale;    ///< float32 [n, 1]
    Tensor coarse;   ///< int64 indices of rows that int8 would round too coarsely
    Tensor numbers;  ///< float32 values of these rows
};

RoundedRows round_rows(const Tensor& weight) {
    const Tensor numbers = weight.to(at::kFloat);
    const Tensor largest = numbers.abs().amax(1, /*keepdim=*/true);
    const Tensor typical = at::linalg_vector_norm(numbers, 2, at::IntArrayRef{1}, /*keepdim=*/true) /
                           std::sqrt(static_cast<double>(numbers.size(1)));
    const Tensor scale = at::where(largest == 0, at::ones_like(largest), largest / kLargest);
    const Tensor coarse = largest.gt(typical * kInt8Crest).squeeze(1).nonzero().squeeze(1);
    const Tensor values = numbers.div(scale).round_().index_fill_(0, coarse, 0).to(at::kChar);
    return {values, scale, coarse, numbers.index_select(0, coarse)};
}

/// Returns [rows, n]: column i is 1 in row ids[i] and 0 elsewhere.
Tensor rows_of(const Tensor& ids, std::int64_t rows) {
    return at::one_hot(ids, rows).to(at::kFloat).t().contiguous();
}

}  // namespace

StoredWeight quantize_int8(const Tensor& weight) {
    const std::int64_t rows = weight.size(0);
    const Tensor values = at::empty(weight.sizes(), weight.options().dtype(at::kChar));
    const Tensor scale = at::empty({rows, 1}, weight.options().dtype(at::kFloat));
    std::vector<Tensor> coarse, numbers;
    for (std::int64_t first = 0; first < rows; first += kRowsAtOnce) {
        const auto count = std::min(kRowsAtOnce, rows - first);
        const RoundedRows part = round_rows(weight.narrow(0, first, count));
        values.narrow(0, first, count).copy_(part.values);
        scale.narrow(0, first, count).copy_(part.scale);
        coarse.push_back(part.coarse + first);
        numbers.push_back(part.numbers);
    }
    const Tensor ids = at::cat(coarse);
    if (2 * ids.numel() > rows || !at::isfinite(scale).all().item<bool>()) return plain_weight(weight.to(at::kFloat));
    StoredWeight stored = plain_weight(values);
    stored.scale = scale;
    if (ids.numel() > 0) stored.additions.push_back({.down = at::cat(numbers), .up = rows_of(ids, rows)});
    return stored;
}

}  // namespace kinescope
