#pragma once

#include <string>
#include <vector>

#include "core/api/error.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace kinescope::cli {

/// Returns whether the words of a command line give an option by this name, with or without a value behind "=".
bool is_among(const std::vector<std::string>& words, const std::string& option);

/// Describes why CLI11 refused the words of a command line, and suggests what may be meant.
Error describe_usage_error(const CLI::App& app, const std::vector<std::string>& typed, const CLI::ParseError& problem);

}  // namespace kinescope::cli
