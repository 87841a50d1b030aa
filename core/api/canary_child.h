#pragma once

#include <optional>

namespace kinescope {

/// Call this first in main. If the process was started to test a device (see EngineOptions::program), runs the test and
/// returns the exit code; otherwise returns nullopt.
std::optional<int> run_as_canary_child(int argc, const char* const* argv);

}  // namespace kinescope
