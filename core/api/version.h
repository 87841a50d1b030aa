#pragma once

namespace kinescope {

/// The version in the top CMakeLists.txt, "0.1.0".
extern const char* const kVersion;

}  // namespace kinescope
