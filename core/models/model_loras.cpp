#include "core/models/model_loras.h"

#include <algorithm>

#include "core/api/error.h"
#include "core/base/log_line.h"
#include "core/models/companion_search.h"
#include "core/models/layout_family.h"

namespace kinescope {

namespace {

constexpr std::size_t kNamed = 8;  // how many are spelt out; the rest is counted

/// The names that LoRAs of this class of model are trained under, besides diffusers'.
const KeyMap& native_keys(const std::string& class_name) {
    static const KeyMap none;
    for (const auto& family : layout_families())
        if (family.denoiser_class == class_name) return family.native_keys();
    return none;
}

bool may_change(const std::string& component, NoiseLevel level, const ModelFiles& files) {
    if (!component.starts_with("transformer") && component != "unet" && !component.starts_with("text_encoder"))
        return false;
    if (!files.has("transformer_2")) return true;
    if (component == "transformer") return level != NoiseLevel::low;
    return component != "transformer_2" || level != NoiseLevel::high;
}

std::string list(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
    return text;
}

std::vector<std::string> unmatched(const LoraFile& lora, const std::set<std::string>& matched) {
    std::vector<std::string> names = lora.strangers;
    for (const auto& [name, module] : lora.modules)
        if (!matched.contains(name)) names.push_back(name);
    return names;
}

void add_lora(ModelFiles& files, const LoraRequest& request) {
    const LoraFile lora = read_lora(request.path);
    const NoiseLevel level = noise_level_of(request.path.filename());
    std::set<std::string> matched;
    for (auto& [name, component] : files.components) {
        if (!may_change(name, level, files) || !component.missing.empty()) continue;
        const auto base = files.open_weights(name);
        matched.merge(resolve_lora(lora, request.scale, *base, native_keys(component.class_name), component.additions));
    }
    const auto left = unmatched(lora, matched);
    if (matched.empty())
        throw Error(ErrorCode::missing_keys,
                    request.path.string() + " fits nothing in the model at " + files.root.string() + ": " +
                        std::to_string(left.size()) + " modules, such as " + list(left),
                    "It was probably made for another model, or for another size of this one.",
                    {{"path", request.path.string()}});
    if (!left.empty())
        log_warning(request.path.string() + ": " + std::to_string(left.size()) +
                    " modules fit nowhere in the model and are left out: " + list(left));
}

}  // namespace

void add_loras(ModelFiles& files, const std::vector<LoraRequest>& loras) {
    for (const auto& lora : loras) add_lora(files, lora);
}

}  // namespace kinescope
