#pragma once

#include <optional>

#include "core/models/companion_search.h"

namespace kinescope {

/// The denoisers of a model: one, or the pair of experts with the one for high noise first.
struct Denoisers {
    FoundPart first;
    std::optional<FoundPart> second;
    Sentence missing_second = {};  ///< why there is no second one where there should be

    NumExperts experts() const { return second || !missing_second.empty() ? NumExperts::two : NumExperts::one; }
};

/// The denoisers of a file of weights, or of a folder without model_index.json. Throws Error(model_unknown) that says
/// what was found instead, and what opening the one file throws.
Denoisers choose_denoisers(const std::filesystem::path& path, PartFinder& finder, CompanionSearch& search);

/// "a, b, c".
std::string join_paths(const std::vector<std::filesystem::path>& paths);
std::string join_words(const std::vector<std::string>& words);

}  // namespace kinescope
