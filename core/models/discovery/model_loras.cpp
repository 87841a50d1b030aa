#include "core/models/discovery/model_loras.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string_view>
#include <utility>

#include "core/api/component_role.h"
#include "core/api/error.h"
#include "core/api/joined.h"
#include "core/models/discovery/layout_family.h"
#include "core/models/discovery/noise_level.h"

namespace kinescope {

namespace {

constexpr std::size_t kNamed = 8;  // maximum number of names listed in a message, which counts the others

/// Prefixes of modules that belong to one of two experts.
constexpr std::string_view kFirst = "transformer.", kSecond = "transformer_2.";

/// Returns the tensor names that LoRAs for this model class use in addition to diffusers' names.
const KeyMap& native_keys(const std::string& class_name) {
    static const KeyMap none;
    for (const auto& family : layout_families())
        if (family.denoiser_class == class_name) return family.native_keys();
    return none;
}

bool may_change(const std::string& component, NoiseLevel level, const ModelFiles& files) {
    const ComponentRole role = role_of(component);
    if (role != ComponentRole::denoiser && role != ComponentRole::text_encoder) return false;
    if (!files.has("transformer_2")) return true;
    if (component == "transformer") return level != NoiseLevel::low;
    return component != "transformer_2" || level != NoiseLevel::high;
}

/// Returns true if a LoRA names modules of both experts, "transformer." and "transformer_2.".
bool names_both_experts(const LoraFile& lora) {
    const auto any = [&](std::string_view prefix) {
        return std::ranges::any_of(lora.modules, [&](const auto& entry) { return entry.first.starts_with(prefix); });
    };
    return any(kFirst) && any(kSecond);
}

/// Returns the prefix of the modules that belong to the other expert than `component`. Returns an empty string if there
/// are none: "transformer." alone means the model as a whole.
std::string_view other_prefix(const LoraFile& lora, const std::string& component, const ModelFiles& files) {
    if (component == "transformer") return files.has("transformer_2") || names_both_experts(lora) ? kSecond : "";
    return component == "transformer_2" && names_both_experts(lora) ? kFirst : "";
}

/// Returns the LoRA without the modules of the other expert.
LoraFile lora_of(LoraFile lora, const std::string& component, const ModelFiles& files) {
    const std::string_view other = other_prefix(lora, component, files);
    if (!other.empty()) std::erase_if(lora.modules, [&](const auto& entry) { return entry.first.starts_with(other); });
    return lora;
}

std::string list(const std::vector<std::string>& names) {
    std::string text = joined(names | std::views::take(kNamed), ", ");
    if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
    return text;
}

std::vector<std::string> unmatched(const LoraFile& lora, const std::set<std::string>& matched) {
    std::vector<std::string> names = lora.unknown;
    for (const auto& [name, module] : lora.modules)
        if (!matched.contains(name)) names.push_back(name);
    return names;
}

/// Returns a note about the experts that a LoRA changes; empty for a model with one denoiser.
std::string experts_note(const ModelFiles& files, const LoraRequest& request, const std::set<std::string>& changed) {
    const bool first = changed.contains("transformer"), second = changed.contains("transformer_2");
    if (!files.has("transformer_2") || (!first && !second)) return {};
    if (first && second) return request.path.string() + " changes both experts";
    return request.path.string() + " changes only the " + (first ? "high" : "low") + "-noise expert";
}

std::string skipped_note(const LoraRequest& request, const std::vector<std::string>& left) {
    if (left.empty()) return {};
    const bool is_one = left.size() == 1;
    return request.path.string() + ": " + std::to_string(left.size()) +
           (is_one ? " module has no match in the model and is skipped: "
                   : " modules have no match in the model and are skipped: ") +
           list(left);
}

/// Returns notes about the changed experts and about modules without a match.
std::vector<std::string> add_lora(ModelFiles& files, const LoraRequest& request, NoiseLevel level,
                                  const WeightCheck& check) {
    if (check) check(request.path);
    const LoraFile lora = read_lora(request.path);
    std::set<std::string> matched, changed;
    for (auto& [name, component] : files.components) {
        if (!may_change(name, level, files) || !component.missing.empty()) continue;
        const auto base = files.open_weights(name);
        auto fitting = resolve_lora(lora_of(lora, name, files), request.scale, *base, native_keys(component.class_name),
                                    component.additions);
        if (!fitting.empty()) changed.insert(name);
        matched.merge(fitting);
    }
    const auto left = unmatched(lora, matched);
    if (matched.empty())
        throw Error(ErrorCode::lora_mismatch,
                    request.path.string() + " matches no module of the model at " + files.root.string() + ": " +
                        std::to_string(left.size()) + " modules, such as " + list(left),
                    "It was probably trained for another model or another size of this model.",
                    {{"path", request.path.string()}, {"modules", std::to_string(left.size())}});
    std::vector<std::string> notes{experts_note(files, request, changed), skipped_note(request, left)};
    std::erase(notes, std::string());
    return notes;
}

}  // namespace

std::vector<std::string> add_loras(ModelFiles& files, const std::vector<LoraRequest>& loras, const WeightCheck& check) {
    std::vector<std::string> names, notes;
    for (const LoraRequest& lora : loras) names.push_back(lora_name(lora.path));
    const std::vector<NoiseLevel> levels = noise_levels_of_loras(names);
    for (std::size_t i = 0; i < loras.size(); ++i)
        std::ranges::move(add_lora(files, loras[i], levels[i], check), std::back_inserter(notes));
    return notes;
}

}  // namespace kinescope
