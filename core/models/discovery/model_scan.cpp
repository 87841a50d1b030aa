#include "core/models/discovery/model_scan.h"

#include <algorithm>
#include <set>

#include "core/api/error.h"
#include "core/models/discovery/noise_level.h"
#include "core/models/discovery/weight_files.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

constexpr int kDepth = 3;

bool is_diffusers_folder(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "model_index.json", ignored);
}

void collect_folders(const fs::path& folder, int depth, std::vector<fs::path>& models) {
    if (is_diffusers_folder(folder)) {
        models.push_back(folder);
        return;
    }
    if (depth == 0) return;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        if (it->is_directory(ignored)) collect_folders(it->path(), depth - 1, models);
    }
}

bool lies_in_any(const fs::path& file, const std::vector<fs::path>& folders) {
    return std::ranges::any_of(folders, [&](const fs::path& folder) {
        const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
        return end == folder.end();
    });
}

bool holds_denoiser(const std::vector<FoundPart>& parts) {
    return std::ranges::any_of(parts, [](const FoundPart& found) {
        const std::string& component = found.part.component;
        return component == "transformer" || component == "unet" || component == "module";
    });
}

/// Returns true if a file cannot be read, if it is shorter than its header says, or if the header is inconsistent:
/// probably an incomplete download. Many pickles are not models, so an inconsistent one is not necessarily an
/// incomplete download.
bool is_damaged(const fs::path& file, const std::optional<Error>& error) {
    if (!error) return false;
    if (error->code() == ErrorCode::file_unreadable) return true;
    if (file.extension() != ".safetensors" && file.extension() != ".gguf") return false;
    return error->code() == ErrorCode::checkpoint_truncated || error->code() == ErrorCode::checkpoint_corrupt;
}

/// Returns true for a file that a model can be named by. A model with two experts has the name of the first.
bool can_be_named(const fs::path& file, PartFinder& finder) {
    const FileContents& contents = finder.contents(file);
    const bool is_second = std::ranges::any_of(
        contents.parts, [](const FoundPart& found) { return noise_level_of(found) == NoiseLevel::low; });
    return (holds_denoiser(contents.parts) && !is_second) || is_damaged(file, contents.error);
}

}  // namespace

std::vector<fs::path> find_models(const std::vector<fs::path>& folders, const WeightCheck& check) {
    std::vector<fs::path> models;
    for (const auto& folder : folders) collect_folders(folder, kDepth, models);
    const std::vector<fs::path> diffusers = models;
    PartFinder finder(check);
    for (const auto& folder : folders)
        for (const auto& file : find_weight_files(folder, kDepth))
            if (!lies_in_any(file, diffusers) && noise_level_of(file) != NoiseLevel::low && can_be_named(file, finder))
                models.push_back(file);
    std::ranges::sort(models);
    const auto repeated = std::ranges::unique(models);
    models.erase(repeated.begin(), repeated.end());
    return models;
}

}  // namespace kinescope
