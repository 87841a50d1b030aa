#include "core/models/discovery/model_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ranges>
#include <utility>

#include "core/api/error.h"
#include "core/api/joined.h"
#include "core/base/file_presence.h"
#include "core/models/discovery/layout_family.h"
#include "core/models/discovery/model_folders.h"
#include "core/models/discovery/model_layout.h"
#include "core/models/model_family.h"
#include "core/weights/merged_reader.h"

namespace kinescope {

namespace fs = std::filesystem;

ComponentFiles missing_component(const fs::path& root, const fs::path& folder, const std::string& name,
                                 const std::string& class_name) {
    return {.folder = root / folder,
            .class_name = class_name,
            .config = {},
            .missing = {.code = "no_folder",
                        .values = {{"component", name}, {"class", class_name}, {"path", (root / folder).string()}},
                        .text = std::string("The model at ").append(root.string()).append(" has no ").append(name) +
                                ": the folder " + (root / folder).string() + " (" + class_name + ") is missing"}};
}

namespace {

/// Returns true if a component's name is safe. It becomes the name of a folder, so a name that could leave the model
/// folder is invalid.
bool is_component_name(const std::string& name) {
    return !name.empty() && name.front() != '_' && name.size() <= 64 &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// Returns the class in an entry ["library", "Class"], or an empty string for other values, such as [null, null].
std::string class_of(const Json& entry) {
    const bool names_class = entry.is_array() && entry.size() == 2 && entry[1].is_string();
    return names_class ? entry[1].get<std::string>() : std::string();
}

Json read_component_config(const fs::path& folder) {
    for (const auto* name : {"config.json", "scheduler_config.json", "preprocessor_config.json"})
        if (has_target(folder / name)) return read_json(folder / name);
    return {};
}

/// Returns true for a component that is required if the index lists it. The denoiser is not one of them, because a
/// model without its config cannot be recognized at all.
bool is_needed(const std::string& name) {
    constexpr std::array<std::string_view, 8> kNeeded{
        "text_encoder", "text_encoder_2", "tokenizer",       "tokenizer_2",
        "vae",          "image_encoder",  "image_processor", "transformer_2"};
    return std::ranges::find(kNeeded, name) != kNeeded.end();
}

Json read_optional(const fs::path& file) {
    return has_target(file) ? read_json(file) : Json();
}

/// Returns true if the class `given` may replace `known`. CLIP may have a projection or not; other classes must match.
bool may_replace(const std::string& known, const std::string& given) {
    constexpr std::string_view kClip = "CLIPVisionModel";
    return known.empty() || known == given || (known.starts_with(kClip) && given.starts_with(kClip));
}

/// Throws Error(model_unknown) for a file whose components cannot replace `component`. Names the one of this kind, if
/// there is one.
[[noreturn]] void refuse_parts(const std::string& component, const std::string& class_name, const fs::path& file,
                               const std::vector<RecognizedPart>& parts, const std::string& kind) {
    const auto same_kind = std::ranges::find(parts, kind, &RecognizedPart::component);
    const RecognizedPart& given = same_kind == parts.end() ? parts.front() : *same_kind;
    std::map<std::string, std::string> arguments{{"path", file.string()}, {"component", component}};
    std::string need;
    if (!class_name.empty()) {
        need = "; the model needs the class " + class_name;
        arguments.insert({{"given", given.class_name}, {"needed", class_name}});
    }
    throw Error(ErrorCode::model_unknown,
                file.string() + " was given as " + component + ", but it contains " + given.variant + " (" +
                    given.class_name + ")" + need,
                "Choose the " + component + " of this model.", std::move(arguments));
}

/// Returns the component in `file` that can replace `component`, or nullopt if the file contains no known component.
/// Throws Error(model_unknown) if it contains only others. "transformer_2" is a second transformer.
std::optional<RecognizedPart> part_for(const std::string& component, const std::string& class_name,
                                       const fs::path& file, const WeightCheck& check) {
    const std::string kind = component == "transformer_2" ? "transformer" : component;
    const auto parts = recognize_parts(TensorCatalog(open_checked(file, check)));
    for (const auto& part : parts)
        if (part.component == kind && may_replace(class_name, part.class_name)) return part;
    if (!parts.empty()) refuse_parts(component, class_name, file, parts, kind);
    return std::nullopt;
}

/// Returns the module in a file, or nullopt.
std::optional<RecognizedPart> module_in(const fs::path& file, const WeightCheck& check) {
    for (auto& part : recognize_parts(TensorCatalog(open_checked(file, check))))
        if (part.component == "module") return std::move(part);
    return std::nullopt;
}

/// Throws Error(model_unknown) if a module does not fit a denoiser.
void require_fit(const RecognizedPart& module, const fs::path& file, const RecognizedPart& denoiser) {
    for (const auto& [key, value] : module.assumed.items()) {
        const Json has = denoiser.config.value(key, Json());
        if (has == value) continue;
        throw Error(ErrorCode::model_unknown,
                    file.string() + " (" + module.variant + ") does not fit the denoiser, " + denoiser.variant + ": " +
                        key + " is " + has.dump() + " instead of " + value.dump(),
                    "Choose a module for this model.", {{"path", file.string()}});
    }
}

/// Puts a module over the denoiser `name` instead of an earlier one.
void put_module(ModelFiles& files, const std::string& name, const fs::path& file, const RecognizedPart& module) {
    files.components.erase(module_of(name));
    for (const auto& part : recognize_parts(TensorCatalog(files.open_weights(name))))
        if (part.component == "transformer") require_fit(module, file, part);
    files.components.at(name).config.update(module.config);
    files.components[module_of(name)] = module_from(file, module);
}

/// Adds transformer_2 to the index, so that a model with a single denoiser becomes one with two experts. Published
/// settings of the scheduler become those of two experts.
void announce_second_expert(ModelFiles& files, const RecognizedPart& part) {
    Json config = part.config;
    if (const auto module = files.components.find(module_of("transformer")); module != files.components.end())
        config.update(module->second.config);
    const ModelBlueprint model = layout_family(part.family).blueprint(config, NumExperts::two);
    files.index["transformer_2"] = {"diffusers", part.class_name};
    if (has_published_scheduler(files)) files.components.at("scheduler").config = model.scheduler;
    const auto found = files.index.find("boundary_ratio");
    if (found != files.index.end() && !found->is_null()) return;
    files.index["boundary_ratio"] = model.index.value("boundary_ratio", Json());
}

/// The same for an expert in a folder, which is recognized by its weights.
void announce_second_expert(ModelFiles& files) {
    for (const auto& part : recognize_parts(TensorCatalog(files.open_weights("transformer_2"))))
        if (part.component == "transformer") announce_second_expert(files, part);
}

/// Puts the module over a denoiser that replaces the one before.
void keep_module(ModelFiles& files, const std::string& name) {
    const auto module = files.components.find(module_of(name));
    if (module == files.components.end()) return;
    const fs::path file = module->second.weights;
    if (const auto part = module_in(file, files.check_weights)) put_module(files, name, file, *part);
}

/// Replaces a missing tokenizer with the tokenizer model in a text encoder's file, if the file contains one.
void take_embedded_tokenizer(ModelFiles& files, const fs::path& file) {
    const auto tokenizer = files.components.find("tokenizer");
    if (tokenizer == files.components.end() || tokenizer->second.missing.empty()) return;
    if (!TensorCatalog(open_checked(file, files.check_weights)).has("spiece_model")) return;
    tokenizer->second.weights = file;
    tokenizer->second.missing = {};
}

bool can_use(const ModelFiles& files, const std::string& name) {
    const auto listed = files.index.find(name);
    if (files.has(name) || (listed != files.index.end() && !class_of(*listed).empty())) return true;
    const auto denoiser = files.components.find("transformer");
    if (denoiser == files.components.end()) return false;
    return std::ranges::any_of(layout_families(), [&](const LayoutFamily& family) {
        return family.denoiser_class == denoiser->second.class_name && family.can_use != nullptr &&
               family.can_use(name, denoiser->second.config);
    });
}

/// Throws Error(bad_request) for a component that would have no effect.
void require_use(const ModelFiles& files, const std::string& name, const fs::path& path) {
    if (can_use(files, name)) return;
    std::string flag = name;
    std::ranges::replace(flag, '_', '-');
    throw Error(ErrorCode::bad_request,
                "The model at " + files.root.string() + " has no " + name + " that " + path.string() +
                    " could replace; its components are: " + joined(files.components | std::views::keys, ", "),
                "Leave out --" + flag + ", or choose a model that uses this component.",
                {{"component", name}, {"path", path.string()}});
}

[[noreturn]] void throw_missing(const std::map<std::string, std::string>& missing, const fs::path& root) {
    const std::string message = joined(missing | std::views::values, "\n");
    std::string options = "--" + joined(missing | std::views::keys, ", --");
    std::ranges::replace(options, '_', '-');
    throw Error(ErrorCode::component_missing, message,
                "Put what is missing next to the model, into its ComfyUI folder or into a configured folder, or choose "
                "it with " +
                    options + ".",
                {{"component", missing.begin()->first}, {"path", root.string()}});
}

/// Throws what is wrong with ComfyUI's list of model folders, or that such a list is not a model.
[[noreturn]] void refuse_folder_list(const fs::path& file) {
    read_comfy_paths(file);
    throw Error(ErrorCode::model_unknown, file.string() + " is a list of model folders, not a model",
                "Name it in KINESCOPE_MODELS or under model_folders in settings.json, and choose one of its models.",
                {{"path", file.string()}});
}

ModelFiles read_from(const fs::path& root, const ModelFolders& configured, const WeightCheck& check) {
    if (!has_target(root))
        throw Error(ErrorCode::file_not_found, "There is no model at " + root.string(), "Check the path of the model.",
                    {{"path", root.string()}});
    std::error_code ignored;
    if (is_folder_list(root) && fs::is_regular_file(root, ignored)) refuse_folder_list(root);
    if (!fs::is_directory(root, ignored) || !has_target(root / "model_index.json"))
        return read_layout(root, configured, check);
    ModelFiles files{.root = root,
                     .index = read_json(root / "model_index.json"),
                     .hints = read_optional(root / "kinescope.json"),
                     .components = {},
                     .layout = "diffusers folder",
                     .check_weights = check};
    if (!files.index.is_object())
        throw Error(ErrorCode::bad_config, (root / "model_index.json").string() + " is not a JSON object");
    for (const auto& [name, entry] : files.index.items()) {
        const auto class_name = class_of(entry);
        if (class_name.empty() || !is_component_name(name)) continue;
        const auto folder = root / name;
        if (!fs::is_directory(folder, ignored)) {
            if (is_needed(name)) files.components[name] = missing_component(root, name, name, class_name);
            continue;
        }
        files.components[name] = {.folder = folder, .class_name = class_name, .config = read_component_config(folder)};
    }
    for (const auto* family : model_families()) family->add_unlisted_parts(files);
    return files;
}

}  // namespace

const ComponentFiles& ModelFiles::component(const std::string& name) const {
    const auto found = components.find(name);
    if (found != components.end()) return found->second;
    const bool is_tokenizer = name.starts_with("tokenizer");
    const std::string content = is_tokenizer ? "its tokenizer.json or spiece.model" : "its config.json and safetensors";
    throw Error(ErrorCode::component_missing, "The model at " + root.string() + " has no " + name,
                "Add a folder \"" + name + "\" with " + content + " next to model_index.json.",
                {{"component", name}, {"path", root.string()}});
}

std::shared_ptr<const CheckpointReader> ModelFiles::open_weights(const std::string& name) const {
    const ComponentFiles& files = component(name);
    if (!files.missing.empty()) throw_missing({{name, files.missing.text}}, root);
    auto weights = with_canonical_names(open_checked(files.place(), check_weights), files.key_map);
    if (const auto module = components.find(module_of(name)); module != components.end())
        weights = std::make_shared<MergedReader>(
            std::move(weights),
            with_canonical_names(open_checked(module->second.weights, check_weights), module->second.key_map));
    if (files.additions.empty()) return weights;
    return std::make_shared<PatchedReader>(std::move(weights), files.additions);
}

std::unique_ptr<Tokenizer> ModelFiles::open_tokenizer() const {
    const ComponentFiles& files = component("tokenizer");
    if (!files.missing.empty()) throw_missing({{"tokenizer", files.missing.text}}, root);
    if (files.weights.extension() != ".safetensors" && files.weights.extension() != ".gguf")
        return load_tokenizer(files.place());
    const Tensor model = open_checked(files.weights, check_weights)->read("spiece_model").contiguous();
    return load_tokenizer_model({static_cast<const char*>(model.const_data_ptr()), model.nbytes()}, files.weights);
}

std::string ModelFiles::mismatch_cause() const {
    for (const auto* name : {"transformer", "unet", "vae"})
        if (is_present(name) && components.at(name).config.is_null())
            return "; " + std::string(name) +
                   "/config.json is missing, so the values of the published model are assumed";
    return "; they belong to different models";
}

void ModelFiles::require_complete() const {
    std::map<std::string, std::string> missing;
    for (const auto& [name, files] : components)
        if (!files.missing.empty()) missing[name] = files.missing.text;
    if (!missing.empty()) throw_missing(missing, root);
}

void ModelFiles::replace(const std::string& name, const fs::path& path) {
    require_use(*this, name, path);
    if (!has_target(path))
        throw Error(ErrorCode::file_not_found, "There is no " + name + " at " + path.string(), "Check the path.",
                    {{"component", name}, {"path", path.string()}});
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return replace_by_file(name, path);
    const auto known = components.find(name);
    const auto listed = index.find(name);
    std::string class_name = listed == index.end() ? "" : class_of(*listed);
    if (known != components.end()) class_name = known->second.class_name;
    components[name] = {.folder = path, .class_name = class_name, .config = read_component_config(path)};
    if (name == "transformer_2" && has_published_scheduler(*this)) announce_second_expert(*this);
    if (name == "vae") follow_vae(*this);
}

void ModelFiles::replace_by_file(const std::string& name, const fs::path& file) {
    const auto known = components.find(name);
    const bool is_tokenizer = name == "tokenizer";
    const std::string class_name = known == components.end() ? "" : known->second.class_name;
    if (!module_of(name).empty())
        if (const auto module = module_in(file, check_weights)) return put_module(*this, name, file, *module);
    const auto part = is_tokenizer ? std::nullopt : part_for(name, class_name, file, check_weights);
    if (part) {
        Json at_hand = config_beside(file, *part);
        if (at_hand.is_null() && known != components.end()) at_hand = known->second.config;
        if (name == "transformer_2") announce_second_expert(*this, *part);
        components[name] = component_from(file, *part, at_hand);
        keep_module(*this, name);
        if (name == "text_encoder") take_embedded_tokenizer(*this, file);
        if (name == "vae") follow_vae(*this);
        return;
    }
    component(name);
    components[name].weights = file;
    components[name].missing = {};
}

ModelFiles read_model_files(const fs::path& root, const WeightCheck& check) {
    return read_from(root, configured_model_folders(), check);
}

ModelFiles read_model_files(const fs::path& root, const std::vector<fs::path>& configured, const WeightCheck& check) {
    return read_from(root, {.folders = configured, .kinds = {}}, check);
}

}  // namespace kinescope
