#pragma once

#include <optional>

#include "core/models/layout_family.h"
#include "core/models/weight_files.h"

namespace kinescope {

/// Where the parts of a model are looked for, nearest first.
struct SearchPlaces {
    std::filesystem::path model;                    ///< the file or folder that was named
    std::vector<std::filesystem::path> configured;  ///< folders of the settings
};

/// Finds the parts that a model needs beside the file or folder that was named: there, in ComfyUI's folders around it,
/// and in the configured folders, which may be ComfyUI's or hold model folders. Names as published come first, then any
/// file that fits by its content.
class CompanionSearch {
public:
    CompanionSearch(SearchPlaces places, PartFinder& finder);

    std::optional<FoundPart> find(const WantedPart& wanted);
    /// The other expert of a pair: a file of the same shapes whose name says the other noise level.
    std::optional<FoundPart> find_other_expert(const FoundPart& expert);
    /// The first folder with a tokenizer. `text_encoder`: the file found for it; its own folder is searched, too.
    std::optional<std::filesystem::path> find_tokenizer(const std::vector<std::string>& folders,
                                                        const std::filesystem::path& text_encoder) const;
    /// The folders that were searched for a component, for messages.
    std::vector<std::filesystem::path> folders_for(const std::string& component) const;

private:
    std::vector<std::filesystem::path> candidates(const WantedPart& wanted) const;

    SearchPlaces places_;
    PartFinder& finder_;
};

enum class NoiseLevel { unknown, high, low };

/// As the file or the folder that it lies in is named: "wan2.2_t2v_high_noise_14B", "low_noise_model/", "HIGH".
NoiseLevel noise_level_of(const std::filesystem::path& file);

}  // namespace kinescope
