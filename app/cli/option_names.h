#pragma once

#include <string>
#include <vector>

#include "app/cli/request_arguments.h"

namespace kinescope::cli {

/// Names the options of the command line instead of the fields of the request, except for fields that come from a
/// request file.
std::vector<Fault> with_option_names(std::vector<Fault> faults, const RequestArguments& arguments);
/// The same for errors that are about the request. Returns other errors unchanged, which name keys of files.
Error with_option_names(const Error& error, const RequestArguments& arguments);
/// The same for a note, which is about no fault.
std::string note_with_option_names(std::string note, const RequestArguments& arguments);

}  // namespace kinescope::cli
