#pragma once

#include <filesystem>
#include <vector>

#include "app/cli/request_arguments.h"

namespace kinescope::cli {

/// The requests of a file of JSON Lines, with the flags over each. The faults of a line say its number; among them that
/// it would write the file of a line before it. Throws Error where there is no request at all, or no file.
std::vector<ReadRequest> read_batch(const std::filesystem::path& file, const RequestArguments& arguments,
                                    Engine& engine);

}  // namespace kinescope::cli
