#pragma once

#include <optional>

#include "core/models/discovery/companion_search.h"

namespace kinescope {

/// The denoisers of a model: a single one, or two experts, the high-noise expert first.
struct Denoisers {
    FoundPart first;
    std::optional<FoundPart> second;
    LocalizableMessage missing_second = {};  ///< why the expected second expert is missing

    NumExperts experts() const { return second || !missing_second.empty() ? NumExperts::two : NumExperts::one; }
};

/// Finds the denoisers in a weight file or in a folder without model_index.json. Throws Error(model_unknown), which
/// names the components found instead, and any error of open_checkpoint() for a single file.
Denoisers choose_denoisers(const std::filesystem::path& path, PartFinder& finder, CompanionSearch& search);

/// Joins names: "a, b, c".
std::string join_paths(const std::vector<std::filesystem::path>& paths);
std::string join_words(const std::vector<std::string>& words);

}  // namespace kinescope
