#include "core/weights/lora_file.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/api/error.h"
#include "core/base/json.h"

namespace kinescope {
namespace {

enum class Role { down, up, up_bias, alpha, weight_diff, bias_diff, modulation_diff };

struct Suffix {
    const char* text;
    Role role;
    const char* naming;
};

constexpr Suffix kSuffixes[] = {
    {".lora_A.weight", Role::down, "PEFT"},
    {".lora_B.weight", Role::up, "PEFT"},
    {".lora_A.default.weight", Role::down, "PEFT"},
    {".lora_B.default.weight", Role::up, "PEFT"},
    {".lora_B.bias", Role::up_bias, "PEFT"},
    {".lora.down.weight", Role::down, "diffusers"},
    {".lora.up.weight", Role::up, "diffusers"},
    {".lora_down.weight", Role::down, "Kohya"},
    {".lora_up.weight", Role::up, "Kohya"},
    {".alpha", Role::alpha, ""},
    {".diff", Role::weight_diff, ""},
    {".diff_b", Role::bias_diff, ""},
    {".diff_m", Role::modulation_diff, ""},
};

/// The names that PEFT and diffusers give to the weights in a LoRA's folder.
constexpr std::string_view kFixedNames[] = {"adapter_model.safetensors", "pytorch_lora_weights.safetensors"};

struct Foreign {
    const char* part;
    const char* kind;
};

/// Adapter types that are related to LoRA but computed differently. Kinescope does not support them.
constexpr Foreign kForeign[] = {{"dora_scale", "DoRA"},
                                {"lora_magnitude_vector", "DoRA"},
                                {"hada_w", "LoHa"},
                                {"lokr_w", "LoKr"},
                                {"lora_mid", "LoCon with a middle factor"},
                                {"oft_blocks", "OFT"},
                                {"oft_diag", "OFT"},
                                {".oft_R", "OFT"},
                                {".boft_", "OFT"},
                                {"glora", "GLoRA"},
                                {".a1.weight", "GLoRA"},
                                {".ia3_l", "IA3"},
                                {".on_input", "IA3"},
                                {".vera_lambda", "VeRA"}};

const Suffix* suffix_of(std::string_view name) {
    const auto found = std::ranges::find_if(kSuffixes, [&](const Suffix& s) { return name.ends_with(s.text); });
    return found == std::end(kSuffixes) ? nullptr : found;
}

void refuse_foreign(const std::filesystem::path& path, const std::string& name) {
    for (const auto& [part, kind] : kForeign) {
        if (name.find(part) == name.npos) continue;
        throw Error(ErrorCode::unsupported,
                    path.string() + " is not a LoRA but a " + kind + " adapter (it has the tensor " + name + ")",
                    "Use a LoRA adapter. Many tools can convert this one to a plain LoRA.", {{"path", path.string()}});
    }
}

[[noreturn]] void refuse_other_weights(const std::filesystem::path& path, const std::vector<std::string>& tensors) {
    throw Error(ErrorCode::unsupported,
                path.string() + " is not a LoRA: it contains no tensors of a LoRA" +
                    (tensors.empty() ? "" : ", but tensors such as " + tensors.front()),
                "Choose a LoRA file.", {{"path", path.string()}});
}

/// The adapter configuration of one component. Ranks follow from the shapes.
struct AdapterConfig {
    std::optional<double> alpha;
    std::map<std::string, double> alpha_pattern;
    bool is_rank_stabilised = false;

    /// Returns the alpha of the longest pattern that is the name of the module or its end after a dot, as in PEFT.
    std::optional<double> alpha_of(const std::string& module) const {
        std::size_t longest = 0;
        std::optional<double> found = alpha;
        for (const auto& [pattern, value] : alpha_pattern) {
            if (pattern.size() <= longest || (module != pattern && !module.ends_with("." + pattern))) continue;
            longest = pattern.size();
            found = value;
        }
        return found;
    }
};

/// Removes the anchor that PEFT puts before a pattern for a full name. Files have further prefixes before such names.
std::string without_anchor(const std::string& pattern) {
    return pattern.starts_with('^') ? pattern.substr(1) : pattern;
}

/// The adapter configurations that diffusers writes into the header, with the name of a component before each key
/// ("transformer_2.lora_alpha"), or the one that PEFT writes into a file beside the weights, without such names.
class AdapterConfigs {
public:
    AdapterConfigs() = default;
    explicit AdapterConfigs(const Json& json) {
        if (!json.is_object()) return;
        for (const auto& [key, value] : json.items()) {
            const auto dot = key.rfind('.');
            const std::string component = dot == key.npos ? "" : key.substr(0, dot);
            add(component, key.substr(dot == key.npos ? 0 : dot + 1), value);
        }
    }

    /// Returns the configuration of the component to which a module belongs by its name. A single configuration is that
    /// of all modules, because tools rename modules without changing it.
    const AdapterConfig& of(const std::string& module) const {
        static const AdapterConfig none;
        if (by_component_.size() == 1) return by_component_.begin()->second;
        for (const auto& [component, config] : by_component_)
            if (!component.empty() && module.starts_with(component + ".")) return config;
        const auto general = by_component_.find("");
        return general == by_component_.end() ? none : general->second;
    }

private:
    void add(const std::string& component, const std::string& key, const Json& value) {
        if (key == "lora_alpha" && value.is_number()) by_component_[component].alpha = value.get<double>();
        if (key == "use_rslora" && value.is_boolean()) by_component_[component].is_rank_stabilised = value.get<bool>();
        if (key != "alpha_pattern" || !value.is_object()) return;
        for (const auto& [pattern, alpha] : value.items())
            if (alpha.is_number())
                by_component_[component].alpha_pattern[without_anchor(pattern)] = alpha.get<double>();
    }

    std::map<std::string, AdapterConfig> by_component_;
};

AdapterConfigs read_adapter_configs(const std::filesystem::path& path, const CheckpointReader& reader) {
    const auto found = reader.metadata().find("lora_adapter_metadata");
    if (found != reader.metadata().end()) return AdapterConfigs(try_parse_json(found->second));
    const auto file = adapter_config_beside(path);
    if (file.empty()) return {};
    const Json json = read_json(file);
    if (!json.is_object())
        throw Error(ErrorCode::bad_config, file.string() + " is not a JSON object", "Download the file again.",
                    {{"path", file.string()}});
    return AdapterConfigs(json);
}

class LoraBuilder {
public:
    LoraBuilder(const std::filesystem::path& path, const CheckpointReader& reader)
        : reader_(reader), configs_(read_adapter_configs(path, reader)) {
        lora_.path = path;
    }

    void add(const TensorEntry& entry) {
        const Suffix* suffix = suffix_of(entry.name);
        if (suffix == nullptr) {
            lora_.unknown.push_back(entry.name);
            return;
        }
        if (*suffix->naming != 0) lora_.naming = suffix->naming;
        std::string name = entry.name.substr(0, entry.name.size() - std::string_view(suffix->text).size());
        if (suffix->role == Role::modulation_diff) name += ".modulation";
        put(lora_.modules[name], name, suffix->role, entry);
    }

    LoraFile finish() && {
        for (auto& [name, module] : lora_.modules) finish(name, module);
        return std::move(lora_);
    }

private:
    void put(LoraModule& module, const std::string& name, Role role, const TensorEntry& entry) {
        const Tensor value = reader_.read(entry.name);
        switch (role) {
            case Role::down:
                module.down = value;
                break;
            case Role::up:
                module.up = value;
                break;
            case Role::up_bias:
                module.up_bias = value;
                break;
            case Role::weight_diff:
            case Role::modulation_diff:
                module.weight_diff = value;
                break;
            case Role::bias_diff:
                module.bias_diff = value;
                break;
            case Role::alpha:
                if (value.numel() != 1) refuse(name, "its alpha is not a single number");
                alphas_[name] = value.to(at::kDouble).item<double>();
        }
    }

    void finish(const std::string& name, LoraModule& module) {
        if (module.down.defined() != module.up.defined()) refuse(name, "one of its two factors is missing");
        if (!module.down.defined()) return;
        if (module.down.dim() < 2 || module.up.dim() < 2 || module.down.size(0) != module.up.size(1))
            refuse(name, "its two factors have different ranks");
        if (module.down.numel() == 0 || module.up.numel() == 0)
            refuse(name, "its factors are empty: the rank is " + std::to_string(module.down.size(0)));
        const auto rank = module.down.size(0);
        lora_.min_rank = lora_.min_rank == 0 ? rank : std::min(lora_.min_rank, rank);
        lora_.max_rank = std::max(lora_.max_rank, rank);
        const auto own = alphas_.find(name);
        const AdapterConfig& config = configs_.of(name);
        const auto alpha = own != alphas_.end() ? std::optional(own->second) : config.alpha_of(name);
        if (!alpha) return;
        if (!std::isfinite(*alpha)) refuse(name, "its alpha is not a finite number");
        const auto divisor = static_cast<double>(rank);
        module.scale = *alpha / (config.is_rank_stabilised ? std::sqrt(divisor) : divisor);
    }

    [[noreturn]] void refuse(const std::string& name, const std::string& what) const {
        throw Error(ErrorCode::checkpoint_corrupt, lora_.path.string() + ": " + name + ": " + what,
                    "Download the file again.", {{"path", lora_.path.string()}});
    }

    const CheckpointReader& reader_;
    AdapterConfigs configs_;
    LoraFile lora_;
    std::map<std::string, double> alphas_;
};

}  // namespace

std::filesystem::path lora_weights(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) return path;
    for (const std::string_view name : kFixedNames)
        if (std::filesystem::is_regular_file(path / name, ignored)) return path / name;
    return path;
}

std::string lora_name(const std::filesystem::path& lora) {
    const bool is_fixed = std::ranges::find(kFixedNames, lora.filename().string()) != std::end(kFixedNames);
    return is_fixed ? lora.parent_path().filename().string() : lora.stem().string();
}

std::filesystem::path adapter_config_beside(const std::filesystem::path& lora) {
    if (lora.filename() != "adapter_model.safetensors") return {};
    const auto file = lora.parent_path() / "adapter_config.json";
    std::error_code ignored;
    return std::filesystem::exists(file, ignored) ? file : std::filesystem::path();
}

bool is_lora(const CheckpointReader& reader) {
    return std::ranges::any_of(reader.entries(), [](const TensorEntry& entry) {
        const Suffix* suffix = suffix_of(entry.name);
        return suffix != nullptr && (suffix->role == Role::down || suffix->role == Role::up);
    });
}

LoraFile read_lora(const std::filesystem::path& path) {
    const auto reader = open_checkpoint(path);
    LoraBuilder builder(path, *reader);
    for (const auto& entry : reader->entries()) {
        refuse_foreign(path, entry.name);
        builder.add(entry);
    }
    LoraFile lora = std::move(builder).finish();
    if (lora.modules.empty()) refuse_other_weights(path, lora.unknown);
    return lora;
}

}  // namespace kinescope
