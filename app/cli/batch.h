#pragma once

#include <filesystem>
#include <vector>

#include "app/cli/request_arguments.h"

namespace kinescope::cli {

/// Reads requests from a JSON Lines file. Flags override the values of every line. Reports faults with the number of
/// the line; it is a fault if two lines write to the same file or folder. Throws Error if the file cannot be read or
/// contains no request.
std::vector<ReadRequest> read_batch(const std::filesystem::path& file, const RequestArguments& arguments,
                                    Engine& engine);

}  // namespace kinescope::cli
