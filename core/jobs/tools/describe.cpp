#include "core/jobs/tools/describe.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/api/component_role.h"
#include "core/device/dtype.h"
#include "core/jobs/tools/helper_weights.h"
#include "core/jobs/translate_error.h"
#include "core/models/discovery/layout_family.h"
#include "core/models/discovery/lora_base.h"
#include "core/models/discovery/weight_files.h"
#include "core/models/model_family.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

/// Converts an error to a message. Its values are the error's arguments, and the error code under "error".
LocalizableMessage in_words(const Error& error) {
    LocalizableMessage words{.code = "error", .values = error.arguments(), .text = error.message()};
    words.values["error"] = to_string(error.code());
    return words;
}

LocalizableMessage missing_part(const std::string& name, LocalizableMessage why) {
    why.values["component"] = name;
    why.text = name + ": " + why.text;
    return why;
}

LocalizableMessage of_file(const fs::path& file, LocalizableMessage why) {
    why.values.emplace("file", file.filename().string());
    why.text = file.filename().string() + ": " + why.text;
    return why;
}

LocalizableMessage pipeline_named(const Json& index) {
    const auto found = index.find("_class_name");
    const bool is_named = found != index.end() && found->is_string();
    const std::string name = is_named ? found->get<std::string>() : "(none)";
    return {.code = "pipeline", .values = {{"class", name}}, .text = "model_index.json names the pipeline " + name};
}

std::string denoiser_class(const ModelFiles& files) {
    return files.component(files.has("unet") ? "unet" : "transformer").class_name;
}

ComponentDescription describe_weights(const std::string& name, const std::string& kind,
                                      const CheckpointReader& weights) {
    ComponentDescription description{.name = name, .kind = kind, .files = weights.files()};
    std::map<std::string, std::int64_t> dtypes;
    for (const TensorEntry& entry : weights.entries()) {
        ++description.num_tensors;
        description.num_parameters += entry.numel();
        description.bytes += entry.bytes;
        ++dtypes[storage_name(entry)];
    }
    description.dtypes.assign(dtypes.begin(), dtypes.end());
    return description;
}

bool holds_settings_only(const std::string& component) {
    return component.starts_with("tokenizer") || component == "scheduler" || component == "image_processor" ||
           component == "feature_extractor";
}

std::string naming_of(const KeyMap& keys) {
    return keys.naming + (keys.prefix.empty() ? "" : " below " + keys.prefix);
}

void describe_component(const ModelFiles& files, const std::string& name, CheckpointDescription& description) {
    const ComponentFiles& component = files.component(name);
    if (!component.missing.empty()) {
        description.missing.push_back(missing_part(name, component.missing));
        return;
    }
    if (holds_settings_only(name)) {
        description.components.push_back({.name = name, .kind = component.class_name, .files = {component.place()}});
        return;
    }
    try {
        description.components.push_back(describe_weights(name, component.class_name, *files.open_weights(name)));
        description.components.back().naming = naming_of(component.key_map);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::file_not_found && error.code() != ErrorCode::file_unreadable) throw;
        description.missing.push_back(missing_part(name, in_words(error)));
    }
}

/// Adds the components in model_index.json that have no folder.
void add_missing_folders(const ModelFiles& files, CheckpointDescription& description) {
    for (const auto& [name, entry] : files.index.items()) {
        const bool is_component = entry.is_array() && entry.size() == 2 && entry[1].is_string();
        if (is_component && !files.has(name))
            description.missing.push_back(missing_part(
                name, {.code = "no_folder",
                       .values = {{"class", entry[1].get<std::string>()}, {"path", (files.root / name).string()}},
                       .text = "the folder " + (files.root / name).string() + " does not exist"}));
    }
}

/// Returns the error with which a run refuses the weights of a component, or nullopt.
std::optional<Error> refusal_of(const ModelFamily& family, const ModelFiles& files, const std::string& component) {
    if (role_of(component) == ComponentRole::none) return std::nullopt;
    try {
        with_translated_errors([&] { family.require_tensors(files, component, files.open_weights(component)); });
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    }
}

/// Lists the components whose weights belong to another model as missing.
void set_foreign_parts_aside(const ModelFamily& family, const ModelFiles& files, CheckpointDescription& description) {
    std::erase_if(description.components, [&](const ComponentDescription& component) {
        const std::optional<Error> refusal = refusal_of(family, files, component.name);
        if (refusal) description.missing.push_back(missing_part(component.name, in_words(*refusal)));
        return refusal.has_value();
    });
}

void add_card(const ModelFiles& files, CheckpointDescription& description) {
    try {
        const ModelFamily& family = find_family(files);
        description.reasons.push_back(
            {.code = "denoiser_class", .values = {{"class", denoiser_class(files)}}, .text = *family.match(files)});
        description.card = family.card(files);
        description.card.id = files.root.string();
        set_foreign_parts_aside(family, files, description);
        for (const auto& name : description.card.missing)
            description.missing.push_back(
                missing_part(name, {.code = "not_listed",
                                    .values = {},
                                    .text = "the denoiser needs it, and the model's index does not list it"}));
    } catch (const Error& error) {
        description.reasons.push_back(in_words(error));
    }
}

CheckpointDescription describe_model(const ModelFiles& files) {
    CheckpointDescription description{.path = files.root, .layout = files.layout, .reasons = files.reasons};
    if (files.reasons.empty()) description.reasons.push_back(pipeline_named(files.index));
    for (const auto& [name, component] : files.components) describe_component(files, name, description);
    add_missing_folders(files, description);
    add_card(files, description);
    return description;
}

LocalizableMessage low_rank_products(const LoraFile& lora) {
    const std::string most = std::to_string(lora.max_rank);
    const std::string rank = lora.min_rank == lora.max_rank ? most : std::to_string(lora.min_rank) + " to " + most;
    const std::string modules = std::to_string(lora.modules.size());
    return {.code = "lora",
            .values = {{"rank", rank}, {"modules", modules}, {"naming", lora.naming}},
            .text = "low-rank products of rank " + rank + " for " + modules + " modules, " + lora.naming + " names"};
}

LocalizableMessage unknown_tensors(const std::vector<std::string>& tensors) {
    const std::string count = std::to_string(tensors.size());
    return {.code = "unrecognized",
            .values = {{"count", count}, {"tensor", tensors.front()}},
            .text = count + " unknown tensors, such as " + tensors.front()};
}

void describe_lora(const fs::path& path, CheckpointDescription& description) {
    description.layout = "LoRA";
    try {
        const LoraFile lora = read_lora(path);
        const std::string base = lora_base(lora);
        description.components.back().naming = lora.naming;
        description.reasons.push_back(low_rank_products(lora));
        description.reasons.push_back(
            base.empty() ? LocalizableMessage{"lora_unknown", {}, "its modules do not belong to a known model"}
                         : LocalizableMessage{"lora_base", {{"model", base}}, "made for " + base});
        if (!lora.unknown.empty()) description.reasons.push_back(unknown_tensors(lora.unknown));
    } catch (const Error& error) {
        description.reasons.push_back(in_words(error));
    }
}

/// Describes a file that no model contains.
void describe_other_weights(const CheckpointReader& weights, CheckpointDescription& description) {
    if (auto helper = recognize_helper(weights)) {
        description.layout = helper->name;
        description.reasons.push_back(std::move(helper->description));
    } else {
        description.reasons.push_back({"tensors_unknown", {}, "its tensors do not belong to a known model"});
    }
}

/// Describes a weight file that is not a complete model.
CheckpointDescription describe_weights_alone(const fs::path& path, const WeightCheck& check) {
    const auto weights = open_checked(path, check);
    CheckpointDescription description{.path = path, .layout = "weights alone"};
    description.components.push_back(describe_weights(path.filename().string(), "", *weights));
    const auto parts = recognize_parts(TensorCatalog(weights));
    for (const auto& part : parts) {
        auto& component = description.components.back();
        component.name = part.component;
        component.kind = part.class_name;
        component.naming = naming_of(part.key_map);
        description.reasons.push_back(part.reason);
        description.reasons.back().text = part.variant + ": " + part.reason.text;
    }
    if (!parts.empty())
        description.reasons.push_back({"only_a_part", {}, "one component of a model"});
    else if (is_lora(*weights))
        describe_lora(path, description);
    else
        describe_other_weights(*weights, description);
    return description;
}

/// Describes a folder of separate files, such as ComfyUI's models or a folder of LoRAs.
CheckpointDescription describe_files(const fs::path& path, const Error& reason, const WeightCheck& check) {
    CheckpointDescription description{.path = path, .layout = "folder of files", .reasons = {in_words(reason)}};
    for (const auto& file : find_weight_files(path, 3)) {
        try {
            CheckpointDescription one = describe_weights_alone(file, check);
            description.components.push_back(std::move(one.components.front()));
            for (LocalizableMessage& why : one.reasons) description.reasons.push_back(of_file(file, std::move(why)));
        } catch (const Error& error) {
            description.reasons.push_back(in_words(error));
        }
    }
    if (description.components.empty()) description.layout = "unknown";
    return description;
}

}  // namespace

CheckpointDescription describe(const fs::path& path, const WeightCheck& check) {
    try {
        return describe_model(read_model_files(path, check));
    } catch (const Error& error) {
        const bool is_part = error.code() == ErrorCode::component_missing;  // a module without its model
        if (error.code() != ErrorCode::model_unknown && !is_part) throw;
        return fs::is_directory(path) ? describe_files(path, error, check) : describe_weights_alone(path, check);
    }
}

}  // namespace kinescope
