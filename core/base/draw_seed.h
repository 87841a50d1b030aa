#pragma once

#include <cstdint>

namespace kinescope {

/// Draws a seed from 0 to 2^31 - 1, which is easy to type.
std::uint64_t draw_seed();

}  // namespace kinescope
