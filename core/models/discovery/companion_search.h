#pragma once

#include <optional>

#include "core/models/discovery/layout_family.h"
#include "core/models/discovery/model_folders.h"
#include "core/models/discovery/weight_files.h"

namespace kinescope {

/// The places to search for components, nearest first.
struct SearchPlaces {
    std::filesystem::path model;  ///< the file or folder given by the user
    ModelFolders configured;
};

/// Finds the components that a model needs in addition to the given file or folder: next to it, in the surrounding
/// ComfyUI folders, and in the configured folders, which may be ComfyUI folders or contain model folders, and at last
/// in the folders of ComfyUI's lists. Prefers published file names, then any file with matching content.
class CompanionSearch {
public:
    CompanionSearch(SearchPlaces places, PartFinder& finder);

    std::optional<FoundPart> find(const WantedPart& wanted);
    /// Returns the other expert of a pair: a file with the same shapes whose name contains the other noise level.
    std::optional<FoundPart> find_other_expert(const FoundPart& expert);
    /// Returns the denoiser that a module is put over: one that has the keys of its part's `assumed`, and the same
    /// noise level in its name.
    std::optional<FoundPart> find_base(const FoundPart& module);
    /// Returns the first folder with a tokenizer. Searches the folder of `text_encoder`, the text encoder's file, too.
    std::optional<std::filesystem::path> find_tokenizer(const std::vector<std::string>& folders,
                                                        const std::filesystem::path& text_encoder) const;
    /// Returns the folders that are searched for a component, for messages.
    std::vector<std::filesystem::path> folders_for(const std::string& component) const;

private:
    std::vector<std::filesystem::path> candidates(const WantedPart& wanted) const;

    SearchPlaces places_;
    PartFinder& finder_;
};

}  // namespace kinescope
