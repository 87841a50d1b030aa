#pragma once

#include "core/models/cogvideox/config.h"

namespace kinescope::cogvideox {

/// A token sequence: text tokens, followed by grid tokens with frames outermost.
struct TokenLayout {
    std::int64_t text = 0;
    TokenGrid grid = {0, 0, 0};  ///< frames, rows, columns

    std::int64_t video() const { return grid[0] * grid[1] * grid[2]; }
    bool operator==(const TokenLayout&) const = default;
};

/// Returns the rotation of each token, complex64 [text + video, head_dim / 2]; text tokens are not rotated. A quarter
/// of the head dimension encodes the frame, three eighths encode the row, and three eighths encode the column. In
/// CogVideoX 1.0, rows and columns are scaled to the native grid, keeping the aspect ratio, so positions may be
/// fractional; in CogVideoX 1.5, they are plain indices.
Tensor rotary_table(const TransformerConfig& config, const TokenLayout& layout);

/// Returns sines and cosines of the token positions, float32 [1, text + video, dim], with zeros for text tokens. A
/// quarter of the width encodes the frame, three eighths the column, three eighths the row.
Tensor sin_cos_table(const TransformerConfig& config, const TokenLayout& layout);

/// The range that a grid's rows or columns cover within the native grid.
struct CropRange {
    double first = 0;
    double last = 0;
};
/// Returns the ranges of rows and of columns. Grids are (rows, columns).
std::array<CropRange, 2> crop_ranges(const std::array<std::int64_t, 2>& grid,
                                     const std::array<std::int64_t, 2>& native);

}  // namespace kinescope::cogvideox
