#pragma once

#include <cstdint>

/// The softmax of attention, part by part (Milakov & Gimelshein 2018, arXiv:1805.02867), on plain float32 memory.
namespace kinescope::softmax_kernels {

/// What a row has met so far.
struct Row {
    float largest = 0;  ///< score
    float sum = 0;      ///< of exp((score - largest) scale); zero: nothing yet
};

/// `count` scores, at least one, become exp((score - largest) scale) of a positive scale; there is room for whole
/// kLanes of them. Returns what the parts before have to be multiplied with, now that the largest score may be another.
float add_part(float* scores, std::int64_t count, float scale, Row& row);

/// values *= factor.
void multiply(float* values, std::int64_t count, float factor);

}  // namespace kinescope::softmax_kernels
