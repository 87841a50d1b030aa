#pragma once

#include <string>
#include <vector>

namespace kinescope::cli {

/// Returns the known word closest to `word`, or an empty string if none is within two edits per five letters.
std::string most_like(const std::string& word, const std::vector<std::string>& known);

}  // namespace kinescope::cli
