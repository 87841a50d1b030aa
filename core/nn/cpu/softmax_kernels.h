#pragma once

#include <cstdint>

/// The softmax of attention, computed part by part (Milakov & Gimelshein 2018, arXiv:1805.02867) in contiguous float32
/// memory.
namespace kinescope::softmax_kernels {

/// The running state of a row of scores.
struct Row {
    float largest = 0;  ///< largest score so far
    float sum = 0;      ///< of exp((score - largest) * scale); zero before the first part
};

/// Replaces `count` scores (at least one) by exp((score - largest) * scale), for a positive scale. The memory must have
/// room for a multiple of kLanes. Returns the factor by which the caller must multiply the results of earlier parts,
/// because the largest score may have changed.
float add_part(float* scores, std::int64_t count, float scale, Row& row);

/// Computes values *= factor.
void multiply(float* values, std::int64_t count, float factor);

}  // namespace kinescope::softmax_kernels
