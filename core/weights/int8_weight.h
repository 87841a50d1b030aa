#pragma once

#include <string_view>

#include "core/weights/stored_weight.h"

namespace kinescope {

/// Beyond this ratio of a row's largest number to its root mean square, int8 rounds the others too coarsely: the error
/// is a ratio / 440 of the root mean square.
inline constexpr double kInt8Crest = 40;

/// Whether the Linear at this path of a denoiser is one that int8 serves, where the policy asks for it: those in the
/// blocks. What comes before and after the blocks, and what modulates them by the timestep, stays as it is.
bool takes_int8(std::string_view path);

/// In int8 with a scale for each row such that its largest number becomes 127. Rows beyond kInt8Crest are zero there
/// and come exact as an addition. Plain float32 where most rows are, or a number is not finite.
StoredWeight quantize_int8(const Tensor& weight);

}  // namespace kinescope
