#pragma once

#include <cstdlib>

namespace simulated_gpu {

/// Returns a setting of the simulated GPU from the environment, or `otherwise` if it is not set. See README.md.
inline const char* setting(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

inline long long number(const char* name, const char* otherwise) {
    return std::atoll(setting(name, otherwise));
}

/// Returns the memory of each GPU.
inline unsigned long long memory_bytes() {
    return static_cast<unsigned long long>(number("SIMULATED_GPU_MEMORY_MIB", "143771")) << 20;
}

inline int device_count() {
    return static_cast<int>(number("SIMULATED_GPU_COUNT", "1"));
}

/// Returns the memory that other programs use, as reported by the driver.
inline unsigned long long foreign_bytes() {
    return static_cast<unsigned long long>(number("SIMULATED_GPU_FOREIGN_MIB", "0")) << 20;
}

}  // namespace simulated_gpu
