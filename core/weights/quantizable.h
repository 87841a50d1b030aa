#pragma once

#include <string_view>

namespace kinescope {

/// Returns true if the weight of the Linear layer at this path of a denoiser may become float8 or int8 when the policy
/// requests it: inside blocks, except for their timestep modulation. Rounding the first and last layers, the embedders
/// and the modulation reduces the precision of all tokens and saves little memory.
bool is_quantizable(std::string_view path);

}  // namespace kinescope
