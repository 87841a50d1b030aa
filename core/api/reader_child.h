#pragma once

#include <optional>

namespace kinescope {

/// Called first by every main function, like run_as_canary_child: whether this process was started to read pictures and
/// videos from outside (see EngineOptions::program). Then it has done so, and the value is its exit code.
std::optional<int> run_as_reader_child(int argc, const char* const* argv);

}  // namespace kinescope
