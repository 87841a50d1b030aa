#include "core/models/component_classes.h"

#include <string>

#include "core/api/error.h"

namespace kinescope {

namespace {

std::string text_of(const Json& config, const char* key) {
    const auto found = config.find(key);
    return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Returns the class that a config.json names, or an empty string. Configs of text encoders name classes with other
/// parts, such as UMT5ForConditionalGeneration, so only their type counts.
std::string class_in(const Json& config) {
    const std::string type = text_of(config, "model_type");
    if (type == "t5") return "T5EncoderModel";
    if (type == "umt5") return "UMT5EncoderModel";
    return text_of(config, "_class_name");
}

void check_class(const std::string& name, const ComponentFiles& component) {
    const bool has_own_config = component.weights.empty() && component.missing.empty() && component.config.is_object();
    if (!has_own_config || component.class_name.empty()) return;
    const std::string given = class_in(component.config);
    if (given.empty() || given == component.class_name) return;
    throw Error(
        ErrorCode::bad_config,
        component.folder.string() + " contains another component than the model needs: its config.json is for " +
            given + ", not for " + component.class_name,
        "Replace the folder with that of the model.",
        {{"path", component.folder.string()}, {"component", name}, {"given", given}, {"needed", component.class_name}});
}

}  // namespace

void check_component_classes(const ModelFiles& files) {
    for (const char* name : {"text_encoder", "vae"})
        if (const auto found = files.components.find(name); found != files.components.end())
            check_class(name, found->second);
}

}  // namespace kinescope
