#include "core/models/model_files.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/api/error.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

/// Component names become folder names: only what cannot leave the model's folder.
bool is_component_name(const std::string& name) {
    return !name.empty() && name.front() != '_' && name.size() <= 64 &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// The class of an entry ["library", "Class"]; empty for anything else, such as [null, null].
std::string class_of(const Json& entry) {
    const bool names_class = entry.is_array() && entry.size() == 2 && entry[1].is_string();
    return names_class ? entry[1].get<std::string>() : std::string();
}

Json read_component_config(const fs::path& folder) {
    for (const auto* name : {"config.json", "scheduler_config.json", "preprocessor_config.json"})
        if (fs::exists(folder / name)) return read_json(folder / name);
    return {};
}

Json read_optional(const fs::path& file) {
    return fs::exists(file) ? read_json(file) : Json();
}

[[noreturn]] void refuse_root(const fs::path& root) {
    std::error_code ignored;
    if (!fs::exists(root, ignored))
        throw Error(ErrorCode::file_not_found, "There is no model at " + root.string(), "Check the path of the model.",
                    {{"path", root.string()}});
    throw Error(ErrorCode::model_unknown, root.string() + " is not a model folder: it holds no model_index.json",
                "Choose the folder that holds model_index.json and one folder for each part of the model.",
                {{"path", root.string()}});
}

}  // namespace

const ComponentFiles& ModelFiles::component(const std::string& name) const {
    const auto found = components.find(name);
    if (found != components.end()) return found->second;
    throw Error(ErrorCode::component_missing, "The model at " + root.string() + " has no " + name,
                "A folder \"" + name + "\" with its config.json and safetensors beside model_index.json would serve.",
                {{"component", name}, {"path", root.string()}});
}

std::shared_ptr<const CheckpointReader> ModelFiles::open_weights(const std::string& name) const {
    const ComponentFiles& files = component(name);
    return open_checkpoint(files.weights.empty() ? files.folder : files.weights);
}

void ModelFiles::replace(const std::string& name, const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        throw Error(ErrorCode::file_not_found, "There is no " + name + " at " + path.string(), "Check the path.",
                    {{"component", name}, {"path", path.string()}});
    if (!fs::is_directory(path, ignored)) {
        component(name);
        components[name].weights = path;
        return;
    }
    ComponentFiles& files = components[name];
    files.folder = path;
    files.config = read_component_config(path);
}

ModelFiles read_model_files(const fs::path& root) {
    std::error_code ignored;
    if (!fs::exists(root / "model_index.json", ignored)) refuse_root(root);
    ModelFiles files{.root = root,
                     .index = read_json(root / "model_index.json"),
                     .hints = read_optional(root / "kinescope.json"),
                     .components = {}};
    if (!files.index.is_object())
        throw Error(ErrorCode::bad_config, (root / "model_index.json").string() + " is not a JSON object");
    for (const auto& [name, entry] : files.index.items()) {
        const auto class_name = class_of(entry);
        if (class_name.empty() || !is_component_name(name)) continue;
        const auto folder = root / name;
        if (!fs::is_directory(folder, ignored)) continue;
        files.components[name] = {.folder = folder, .class_name = class_name, .config = read_component_config(folder)};
    }
    return files;
}

}  // namespace kinescope
