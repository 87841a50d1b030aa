#pragma once

#include <iosfwd>

#include "app/cli/session.h"

namespace kinescope::cli {

/// The main function of kinescope-cli. Parses the arguments, runs one command and returns the exit code. Does not
/// throw.
int run_command_line(int argc, const char* const* argv, const EngineFactory& make_engine, std::ostream& results,
                     std::ostream& messages);

}  // namespace kinescope::cli
