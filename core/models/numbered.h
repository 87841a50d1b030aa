#pragma once

#include <string>

namespace kinescope {

/// Returns "name_007" for index 7, as golden cases name values that occur several times.
inline std::string numbered(const std::string& name, int index) {
    const auto digits = std::to_string(index);
    return name + "_" + std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

}  // namespace kinescope
