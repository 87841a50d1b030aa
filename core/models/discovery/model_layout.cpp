#include "core/models/discovery/model_layout.h"

#include <algorithm>
#include <tuple>

#include "core/api/joined.h"
#include "core/models/discovery/denoiser_choice.h"
#include "core/models/discovery/layout_family.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

/// Returns the reason why a component was recognized: its file, the evidence, and the naming scheme.
LocalizableMessage why_taken(const std::string& component, const FoundPart& found) {
    const auto& [naming, prefix] = std::tie(found.part.key_map.naming, found.part.key_map.prefix);
    LocalizableMessage why = found.part.reason;
    const std::string file = found.file.filename().string();
    why.values.insert({{"component", component}, {"file", file}, {"naming", naming}, {"prefix", prefix}});
    why.text = component + ": " + file + " is " + why.text + "; " + naming + (prefix.empty() ? "" : " below " + prefix);
    return why;
}

/// Assembles a model from components.
class LayoutBuilder {
public:
    LayoutBuilder(const fs::path& root, Denoisers denoisers, CompanionSearch& search, PartFinder& finder,
                  const WeightCheck& check)
        : denoisers_(std::move(denoisers)), search_(search), finder_(finder) {
        const auto& part = denoisers_.first.part;
        blueprint_ = layout_family(part.family).blueprint(part.config, denoisers_.experts());
        files_.root = root;
        files_.check_weights = check;
        files_.index = blueprint_.index;
        std::error_code ignored;
        files_.layout = (fs::is_directory(root, ignored) ? "folder of single-file checkpoints, " : "single file, ") +
                        part.key_map.naming;
    }

    ModelFiles build() && {
        add_denoisers();
        for (const auto& wanted : blueprint_.parts) add(wanted);
        if (!blueprint_.tokenizer_folders.empty()) add_tokenizer();
        add_settings("scheduler", blueprint_.scheduler);
        if (!blueprint_.image_processor_name.empty())
            add_settings(blueprint_.image_processor_name, blueprint_.image_processor);
        follow_vae(files_);
        return std::move(files_);
    }

private:
    bool holds_tokenizer(const fs::path& file) const {
        return TensorCatalog(open_checked(file, files_.check_weights)).has("spiece_model");
    }

    std::string class_in_index(const std::string& component) const {
        return blueprint_.index.at(component).at(1).get<std::string>();
    }

    /// Adds a component that was found. `published` contains the values of settings that neither the shapes nor a
    /// config next to the file contain.
    void add_found(const std::string& component, FoundPart found, const Json& published) {
        auto& [file, part] = found;
        if (published.is_object()) part.assumed.update(published);
        files_.components[component] = component_from(file, part, config_beside(file, part));
        files_.reasons.push_back(why_taken(component, found));
    }

    void add_module(const std::string& denoiser, const FoundPart& module) {
        const std::string name = module_of(denoiser);
        files_.components[name] = module_from(module.file, module.part);
        files_.reasons.push_back(why_taken(name, module));
    }

    void add_denoisers() {
        const auto& first = denoisers_.first;
        const auto settings_of_file = layout_family(first.part.family).settings_of_file;
        add_found(first.part.component, first,
                  settings_of_file != nullptr ? settings_of_file(first.file.filename().string()) : Json());
        if (denoisers_.first_module) add_module(first.part.component, *denoisers_.first_module);
        if (denoisers_.second) add_found("transformer_2", *denoisers_.second, {});
        if (denoisers_.second_module) add_module("transformer_2", *denoisers_.second_module);
        if (denoisers_.missing_second.empty()) return;
        auto& missing = files_.components["transformer_2"] = files_.components.at("transformer");
        missing.missing = denoisers_.missing_second;
        missing.missing.text =
            "The model at " + files_.root.string() + " has no transformer_2: " + missing.missing.text;
    }

    /// Adds a component from the denoiser's file or, if that file does not contain it, from other places.
    void add(const WantedPart& wanted) {
        for (const auto& found : finder_.parts(denoisers_.first.file))
            if (std::ranges::find(wanted.classes, found.part.class_name) != wanted.classes.end())
                return add_found(wanted.component, found, wanted.config);
        if (const auto found = search_.find(wanted)) return add_found(wanted.component, *found, wanted.config);
        files_.components[wanted.component] = {.folder = files_.root,
                                               .class_name = wanted.classes.front(),
                                               .config = wanted.config,
                                               .missing = no_file(wanted.component, joined(wanted.file_names, ", "),
                                                                  join_paths(search_.folders_for(wanted.component)))};
    }

    void add_tokenizer() {
        ComponentFiles tokenizer{.folder = {}, .class_name = class_in_index("tokenizer"), .config = {}};
        const auto& encoder = files_.components.at("text_encoder");
        // Only the tokenizer in the encoder's file is certain to be its own. Folders hold those of several models.
        if (encoder.missing.empty() && holds_tokenizer(encoder.weights)) {
            tokenizer.weights = encoder.weights;
            const std::string file = encoder.weights.filename().string();
            files_.reasons.push_back({.code = "tokenizer_within",
                                      .values = {{"component", "tokenizer"}, {"file", file}},
                                      .text = "tokenizer: in " + file + " as spiece_model"});
        } else if (const auto folder = search_.find_tokenizer(blueprint_.tokenizer_folders, encoder.weights)) {
            tokenizer.folder = *folder;
        } else {
            tokenizer.folder = files_.root;
            tokenizer.missing = no_tokenizer(joined(blueprint_.tokenizer_folders, ", "),
                                             join_paths(search_.folders_for("text_encoder")));
        }
        files_.components["tokenizer"] = std::move(tokenizer);
    }

    LocalizableMessage no_file(const std::string& component, const std::string& names,
                               const std::string& folders) const {
        return {.code = "no_file",
                .values = {{"component", component}, {"files", names}, {"folders", folders}},
                .text = "The model at " + files_.root.string() + " has no " + component + ": none of " + names +
                        " or another matching file was found in " + folders};
    }

    LocalizableMessage no_tokenizer(const std::string& names, const std::string& folders) const {
        return {.code = "no_tokenizer",
                .values = {{"component", "tokenizer"}, {"files", names}, {"folders", folders}},
                .text = "The model at " + files_.root.string() + " has no tokenizer: none of the folders " + names +
                        " with tokenizer.json or spiece.model is in " + folders +
                        ", and the text encoder's file contains no spiece_model"};
    }

    void add_settings(const std::string& component, const Json& config) {
        files_.components[component] = {.folder = {}, .class_name = class_in_index(component), .config = config};
    }

    Denoisers denoisers_;
    CompanionSearch& search_;
    PartFinder& finder_;
    ModelBlueprint blueprint_;
    ModelFiles files_;
};

}  // namespace

Json config_beside(const fs::path& file, const RecognizedPart& part) {
    const fs::path config = file.parent_path() / "config.json";
    std::error_code ignored;
    if (!fs::is_regular_file(config, ignored)) return {};
    const Json json = read_json(config);
    if (!json.is_object()) return {};
    const Json class_name = json.value("_class_name", Json(part.class_name));
    if (class_name == part.class_name) return json;
    // A folder may contain several components. A config of the original authors belongs to the denoiser.
    const auto* family = part.family.empty() ? nullptr : &layout_family(part.family);
    const bool is_native = family != nullptr && family->denoiser_class == part.class_name;
    return is_native && family->config_from_native != nullptr ? family->config_from_native(json) : Json();
}

ComponentFiles component_from(const fs::path& file, const RecognizedPart& part, const Json& at_hand) {
    return {.folder = file.parent_path(),
            .weights = file,
            .class_name = part.class_name,
            .config = complete_config(part, at_hand),
            .key_map = part.key_map};
}

ComponentFiles module_from(const fs::path& file, const RecognizedPart& part) {
    return {.folder = file.parent_path(),
            .weights = file,
            .class_name = part.class_name,
            .config = part.config,
            .key_map = part.key_map};
}

std::string module_of(const std::string& component) {
    if (component == "transformer") return "module";
    return component == "transformer_2" ? "module_2" : "";
}

bool has_published_scheduler(const ModelFiles& files) {
    const auto scheduler = files.components.find("scheduler");
    return scheduler != files.components.end() && scheduler->second.folder.empty();
}

void follow_vae(ModelFiles& files) {
    if (!has_published_scheduler(files) || !files.has("transformer") || !files.has("vae")) return;
    const ComponentFiles& denoiser = files.components.at("transformer");
    for (const LayoutFamily& family : layout_families())
        if (family.denoiser_class == denoiser.class_name && family.follow_vae != nullptr)
            family.follow_vae(denoiser.config, files.components.at("vae").config, files.index,
                              files.components.at("scheduler").config);
}

ModelFiles read_layout(const fs::path& path, const ModelFolders& configured, const WeightCheck& check) {
    PartFinder finder(check);
    CompanionSearch search({.model = path, .configured = configured}, finder);
    auto denoisers = choose_denoisers(path, finder, search);
    return LayoutBuilder(path, std::move(denoisers), search, finder, check).build();
}

}  // namespace kinescope
