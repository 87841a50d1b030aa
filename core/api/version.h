#pragma once

namespace kinescope {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace kinescope
