#pragma once

#include <optional>

namespace kinescope {

/// First thing in every main: whether this process was started to try a device (see EngineOptions::program). Then it
/// has done so, and the value is its exit code.
std::optional<int> run_as_canary_child(int argc, const char* const* argv);

}  // namespace kinescope
