#pragma once

#include <string>
#include <vector>

namespace kinescope::cli {

/// Returns the known word closest to `word`, with at most two edits per five letters; empty if there is none.
std::string most_like(const std::string& word, const std::vector<std::string>& known);

}  // namespace kinescope::cli
