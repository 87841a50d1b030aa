#pragma once

#include "core/models/cogvideox/config.h"

namespace kinescope::cogvideox {

/// A sequence of text tokens followed by the tokens of a grid, frames outermost.
struct TokenLayout {
    std::int64_t text = 0;
    TokenGrid grid = {0, 0, 0};  ///< frames, rows, columns

    std::int64_t video() const { return grid[0] * grid[1] * grid[2]; }
    bool operator==(const TokenLayout&) const = default;
};

/// The rotation of each token, complex64 [text + video, head_dim / 2]; text tokens stay as they are. A quarter of a
/// head turns with the frame, three eighths each with row and column. In 1.0 rows and columns are spread over the part
/// of the native grid that an equally shaped grid covers, so positions may be fractions; in 1.5 they are plain indices.
Tensor rotary_table(const TransformerConfig& config, const TokenLayout& layout);

/// Sines and cosines of each token's position, float32 [1, text + video, dim]; zeros for text tokens. A quarter of the
/// width says the frame, three eighths the column, three eighths the row.
Tensor sin_cos_table(const TransformerConfig& config, const TokenLayout& layout);

/// Positions of `count` rows or columns of a video's grid within the native grid: [first, last].
struct CropRange {
    double first = 0;
    double last = 0;
};
/// Along rows, then along columns. Both grids as (rows, columns).
std::array<CropRange, 2> crop_ranges(const std::array<std::int64_t, 2>& grid,
                                     const std::array<std::int64_t, 2>& native);

}  // namespace kinescope::cogvideox
