#pragma once

#include "core/device/precision.h"

namespace kinescope::wan {

/// The text rows to which the blocks attend.
struct TextRows {
    Tensor prompt_embeds;  ///< [1, n, D]
    Tensor key_bias;       ///< float32 [1, 1, 1, n], added to the scores; undefined: none
};

/// Merges the padding. Wan attends to all rows of the padded text, and all padding rows are zero. In float32, they are
/// merged into one row whose score is increased by log(count). The softmax is then the same with n instead of 512 keys,
/// up to rounding (measured: 4e-6 of the output). In 16 bits, the score would lose too many digits, so all rows are
/// kept.
TextRows merge_padding(const Tensor& prompt_embeds, const Precision& precision);

}  // namespace kinescope::wan
