#pragma once

#include <optional>

namespace kinescope {

/// Call this first in main, like run_as_canary_child. If the process was started to read media files or headers of
/// weight files (see EngineOptions::program), does so and returns the exit code; otherwise returns nullopt.
std::optional<int> run_as_reader_child(int argc, const char* const* argv);

}  // namespace kinescope
