#pragma once

#include <optional>

#include "core/models/discovery/companion_search.h"

namespace kinescope {

/// The denoisers of a model: a single one, or two experts, the high-noise expert first. A module is a part that is put
/// over a denoiser from a file of its own; the denoiser's config already has the keys that it adds.
struct Denoisers {
    FoundPart first;
    std::optional<FoundPart> second;
    std::optional<FoundPart> first_module = {};
    std::optional<FoundPart> second_module = {};
    LocalizableMessage missing_second = {};  ///< why the expected second expert is missing

    NumExperts experts() const { return second || !missing_second.empty() ? NumExperts::two : NumExperts::one; }
};

/// Finds the denoisers in a weight file or in a folder without model_index.json, and those that a module needs. Throws
/// Error(model_unknown), which names the components found instead, Error(component_missing) for a module without a
/// denoiser, and any error of open_checkpoint() for a single file.
Denoisers choose_denoisers(const std::filesystem::path& path, PartFinder& finder, CompanionSearch& search);

/// Joins paths: "a, b, c".
std::string join_paths(const std::vector<std::filesystem::path>& paths);

}  // namespace kinescope
