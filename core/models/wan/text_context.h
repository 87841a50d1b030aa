#pragma once

#include "core/device/precision.h"

namespace kinescope::wan {

/// The rows of the text that the blocks attend to.
struct TextRows {
    Tensor prompt_embeds;  ///< [1, n, D]
    Tensor key_bias;       ///< [1, 1, 1, n] float32, added to the scores; undefined: none
};

/// Wan attends to all rows of the padded text, and the padding rows are one and the same zero row. In float32 they are
/// kept as a single row whose score is raised by log(count): the same softmax, with n instead of 512 keys. (Exact up to
/// rounding, measured 4e-6 of the output.) In half precision the raised score would be rounded to 3 digits, so there
/// all rows stay.
TextRows merge_padding(const Tensor& prompt_embeds, const Precision& precision);

}  // namespace kinescope::wan
