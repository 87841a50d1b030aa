#pragma once

#include <string>
#include <vector>

namespace kinescope::cli {

/// The known word that is most like `word`, at most two letters of each five away; empty: none is like it.
std::string most_like(const std::string& word, const std::vector<std::string>& known);

}  // namespace kinescope::cli
