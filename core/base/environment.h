#pragma once

#include <cstdlib>
#include <string>

namespace kinescope {

/// Returns the value of an environment variable; empty: it is not set.
inline std::string environment_variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::string() : std::string(value);
}

}  // namespace kinescope
