#pragma once

#include "app/cli/options/request_flags.h"
#include "app/cli/request_arguments.h"

namespace CLI {
class App;
}

namespace kinescope::cli {

/// Adds --request and the request flags to a command. `arguments` must exist until the command line is parsed.
void add_request_options(CLI::App& command, RequestArguments& arguments, FileFlags files = FileFlags::offered);

}  // namespace kinescope::cli
