#include "core/base/draw_seed.h"

#include <random>

namespace kinescope {

std::uint64_t draw_seed() {
    return std::random_device{}() & 0x7FFFFFFFU;
}

}  // namespace kinescope
