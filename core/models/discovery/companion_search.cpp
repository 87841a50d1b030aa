#include "core/models/discovery/companion_search.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/json.h"
#include "core/models/discovery/noise_level.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

struct ComfyFolders {
    const char* component;
    std::vector<const char*> names;
};

/// Subfolders of ComfyUI's "models" folder, by component.
const std::array<ComfyFolders, 5>& comfy_folders() {
    static const std::array<ComfyFolders, 5> table{{{"transformer", {"diffusion_models", "unet", "checkpoints"}},
                                                    {"text_encoder", {"text_encoders", "clip"}},
                                                    {"vae", {"vae"}},
                                                    {"image_encoder", {"clip_vision"}},
                                                    {"tiny_decoder", {"vae_approx", "vae"}}}};
    return table;
}

bool is_kind_of(const std::string& folder, const std::string& component) {
    return std::ranges::any_of(comfy_folders(), [&](const auto& row) {
        return component == row.component && std::ranges::find(row.names, folder) != row.names.end();
    });
}

bool is_comfy_folder(const std::string& name) {
    return std::ranges::any_of(comfy_folders(),
                               [&](const auto& row) { return std::ranges::find(row.names, name) != row.names.end(); });
}

/// Returns the ComfyUI "models" folder that contains a file: the parent of a known subfolder, at most four levels up.
std::optional<fs::path> comfy_root_above(const fs::path& file) {
    fs::path folder = file.parent_path();
    for (int level = 0; level < 4 && folder.has_relative_path(); ++level, folder = folder.parent_path())
        if (is_comfy_folder(folder.filename().string())) return folder.parent_path();
    return std::nullopt;
}

void add_unique(std::vector<fs::path>& folders, const fs::path& folder) {
    std::error_code ignored;
    if (fs::is_directory(folder, ignored) && std::ranges::find(folders, folder) == folders.end())
        folders.push_back(folder);
}

void add_comfy(std::vector<fs::path>& folders, const fs::path& models, const std::string& component) {
    for (const auto& row : comfy_folders())
        for (const char* name : row.names)
            if (component == row.component) add_unique(folders, models / name);
}

/// Returns the diffusers model folders in a configured folder, at most 100.
std::vector<fs::path> diffusers_folders(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end && found.size() < 100;
         it.increment(error)) {
        std::error_code ignored;
        if (fs::exists(it->path() / "model_index.json", ignored)) found.push_back(it->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool fits(const WantedPart& wanted, const RecognizedPart& part) {
    if (std::ranges::find(wanted.classes, part.class_name) == wanted.classes.end()) return false;
    return std::ranges::all_of(wanted.fits.items(), [&](const auto& item) {
        const auto found = part.config.find(item.key());
        return found != part.config.end() && *found == item.value();
    });
}

bool holds_tokenizer(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "tokenizer.json", ignored) || fs::exists(folder / "spiece.model", ignored);
}

}  // namespace

CompanionSearch::CompanionSearch(SearchPlaces places, PartFinder& finder)
    : places_(std::move(places)), finder_(finder) {}

std::vector<fs::path> CompanionSearch::folders_for(const std::string& component) const {
    std::vector<fs::path> folders;
    std::error_code ignored;
    const bool is_folder = fs::is_directory(places_.model, ignored);
    add_unique(folders, is_folder ? places_.model : places_.model.parent_path());
    if (const auto models = comfy_root_above(places_.model)) add_comfy(folders, *models, component);
    std::vector<fs::path> roots = places_.configured.folders;
    if (is_folder) roots.insert(roots.begin(), places_.model);
    for (const auto& root : roots) {
        add_unique(folders, root);
        add_comfy(folders, root, component);
        add_comfy(folders, root / "models", component);
        for (const auto& model : diffusers_folders(root)) add_unique(folders, model / component);
    }
    for (const auto& [kind, folder] : places_.configured.kinds)
        if (is_kind_of(kind, component)) add_unique(folders, folder);
    return folders;
}

/// Returns the files to search: first those with published names, in the order of those names, then the others in
/// search order.
std::vector<fs::path> CompanionSearch::candidates(const WantedPart& wanted) const {
    std::vector<fs::path> files;
    for (const auto& folder : folders_for(wanted.component)) {
        const bool is_model = folder == places_.model;
        for (auto& file : find_weight_files(folder, is_model ? 3 : 1))
            if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
    }
    const auto rank = [&](const fs::path& file) {
        return std::ranges::find(wanted.file_names, file.filename().string()) - wanted.file_names.begin();
    };
    std::ranges::stable_sort(files, {}, rank);
    return files;
}

std::optional<FoundPart> CompanionSearch::find(const WantedPart& wanted) {
    for (const auto& file : candidates(wanted))
        for (const auto& found : finder_.parts(file))
            if (fits(wanted, found.part)) return found;
    return std::nullopt;
}

std::optional<FoundPart> CompanionSearch::find_other_expert(const FoundPart& expert) {
    const auto level = noise_level_of(expert);
    if (level == NoiseLevel::unknown) return std::nullopt;
    const auto other = level == NoiseLevel::high ? NoiseLevel::low : NoiseLevel::high;
    const WantedPart wanted{.component = "transformer",
                            .classes = {expert.part.class_name},
                            .file_names = {},
                            .fits = expert.part.config,
                            .config = {}};
    std::vector<fs::path> files = find_weight_files(other_expert_folder(expert.file), 0);
    std::ranges::copy(candidates(wanted), std::back_inserter(files));
    for (const auto& file : files) {
        if (noise_level_of(FoundPart{.file = file, .part = expert.part}) != other) continue;
        for (const auto& found : finder_.parts(file))
            if (fits(wanted, found.part)) return found;
    }
    return std::nullopt;
}

std::optional<FoundPart> CompanionSearch::find_base(const FoundPart& module) {
    const WantedPart wanted{.component = "transformer",
                            .classes = {std::string(layout_family(module.part.family).denoiser_class)},
                            .file_names = {},
                            .fits = module.part.assumed,
                            .config = {}};
    for (const auto& file : candidates(wanted)) {
        if (noise_level_of(file) != noise_level_of(module.file)) continue;
        for (const auto& found : finder_.parts(file))
            if (fits(wanted, found.part)) return found;
    }
    return std::nullopt;
}

std::optional<fs::path> CompanionSearch::find_tokenizer(const std::vector<std::string>& folders,
                                                        const fs::path& text_encoder) const {
    std::vector<fs::path> places = folders_for("text_encoder");
    if (!text_encoder.empty()) places.insert(places.begin() + 1, text_encoder.parent_path());
    for (const auto& place : places) {
        const bool is_own = place == places.front() || place == text_encoder.parent_path();
        if (is_own && holds_tokenizer(place / "tokenizer")) return place / "tokenizer";
        if (is_own && holds_tokenizer(place)) return place;
        for (const auto& name : folders)
            if (holds_tokenizer(place / name)) return place / name;
        // In a diffusers folder, the tokenizer is next to the text encoder's folder.
        if (place == text_encoder.parent_path() && holds_tokenizer(place.parent_path() / "tokenizer"))
            return place.parent_path() / "tokenizer";
    }
    return std::nullopt;
}

}  // namespace kinescope
