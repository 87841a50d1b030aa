#include "core/base/significant.h"

#include <spdlog/fmt/fmt.h>

namespace kinescope {

std::string significant(double value, int digits) {
    return fmt::format("{:.{}g}", value, digits);
}

}  // namespace kinescope
