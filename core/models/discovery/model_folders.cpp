#include "core/models/discovery/model_folders.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/api/error.h"
#include "core/api/user_dirs.h"
#include "core/base/config_reader.h"
#include "core/base/environment.h"
#include "core/base/json.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

#ifdef _WIN32
constexpr char kSeparator = ';';
#else
constexpr char kSeparator = ':';
#endif

std::vector<fs::path> split(std::string_view list) {
    std::vector<fs::path> folders;
    while (!list.empty()) {
        const auto end = std::min(list.find(kSeparator), list.size());
        if (end > 0) folders.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return folders;
}

std::vector<fs::path> from_settings() {
    const fs::path file = user_dirs().config / "settings.json";
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return {};
    const Json settings = read_json(file);
    const ConfigReader reader(settings, file);
    if (!settings.is_object() || !settings.contains("model_folders")) return {};
    std::vector<fs::path> folders;
    const Json& list = settings["model_folders"];
    if (!list.is_array()) reader.refuse("model_folders", "expected a list of folders");
    for (const Json& folder : list) {
        if (!folder.is_string()) reader.refuse("model_folders", "expected a list of folders");
        folders.emplace_back(folder.get<std::string>());
    }
    return folders;
}

constexpr auto kComfyList = "extra_model_paths.yaml";

template <class T>
void append_once(std::vector<T>& all, T value) {
    if (std::ranges::find(all, value) == all.end()) all.push_back(std::move(value));
}

void add_list(const fs::path& list, ModelFolders& result) {
    std::error_code ignored;
    try {
        for (KindFolder& each : read_comfy_paths(list))
            if (fs::is_directory(each.folder, ignored)) append_once(result.kinds, std::move(each));
    } catch (const Error&) {
        append_once(result.unusable_lists, list);
    }
}

/// Adds the list in a ComfyUI folder, or beside its folder "models".
void add_list_of(const fs::path& folder, ModelFolders& result) {
    const fs::path clean = folder.has_filename() ? folder : folder.parent_path();
    std::error_code ignored;
    fs::path list = clean / kComfyList;
    if (!fs::is_regular_file(list, ignored) && clean.filename() == "models") list = clean.parent_path() / kComfyList;
    if (fs::is_regular_file(list, ignored)) add_list(list, result);
}

/// Returns what is wrong with a configured folder or list, see UnusableFolder. Returns an empty string if it is usable.
std::string fault_of(const fs::path& entry) {
    std::error_code failure;
    if (!fs::exists(entry, failure) && !failure) return "does not exist";
    if (!failure && fs::is_directory(entry, failure)) const fs::directory_iterator opened(entry, failure);
    return failure ? "cannot be read: " + failure.message() : std::string();
}

}  // namespace

ModelFolders configured_model_folders() {
    std::vector<fs::path> entries = split(environment_variable("KINESCOPE_MODELS"));
    const auto more = from_settings();
    entries.insert(entries.end(), more.begin(), more.end());
    ModelFolders result;
    std::error_code ignored;
    for (const fs::path& entry : entries) {
        if (std::string fault = fault_of(entry); !fault.empty())
            append_once(result.unusable, {.path = entry, .fault = std::move(fault)});
        if (is_folder_list(entry) && fs::is_regular_file(entry, ignored)) add_list(entry, result);
        if (!fs::is_directory(entry, ignored)) continue;
        append_once(result.folders, entry);
        add_list_of(entry, result);
    }
    return result;
}

bool is_folder_list(const fs::path& file) {
    return file.extension() == ".yaml" || file.extension() == ".yml";
}

std::vector<fs::path> scanned_folders(const ModelFolders& folders) {
    static constexpr std::array kScanned{"checkpoints", "diffusion_models", "diffusers"};
    std::vector<fs::path> scanned = folders.folders;
    for (const KindFolder& each : folders.kinds)
        if (std::ranges::find(kScanned, each.kind) != kScanned.end()) append_once(scanned, each.folder);
    return scanned;
}

fs::path named_file(const fs::path& name, const std::string& kind) {
    std::error_code ignored;
    if (name.empty() || name.has_parent_path() || fs::exists(name, ignored)) return name;
    const ModelFolders configured = configured_model_folders();
    std::vector<fs::path> folders;
    for (const KindFolder& each : configured.kinds)
        if (each.kind == kind) append_once(folders, each.folder);
    for (const fs::path& folder : configured.folders)
        for (const fs::path& part : {fs::path(kind), fs::path("models") / kind}) append_once(folders, folder / part);
    for (const fs::path& folder : folders)
        if (fs::is_regular_file(folder / name, ignored)) return folder / name;
    return name;
}

}  // namespace kinescope
