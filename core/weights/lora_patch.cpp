#include "core/weights/lora_patch.h"

#include <algorithm>
#include <utility>

#include "core/weights/stored_weight.h"

namespace kinescope {
namespace {

/// Prefixes that tools add to module names, with dots or Kohya's underscores. VideoX-Fun writes two underscores after
/// Kohya's prefixes, and no name of a module begins with one, so a single underscore is a prefix, too.
constexpr std::string_view kPrefixes[] = {"base_model.model.",
                                          "pipe.dit.",
                                          "model.diffusion_model.",
                                          "diffusion_model.",
                                          "transformer.",
                                          "transformer_2.",
                                          "unet.",
                                          "text_encoder.",
                                          "image_encoder.",
                                          "model.",
                                          "net.",
                                          "lora_unet_",
                                          "lora_transformer_",
                                          "lora_te1_",
                                          "lora_te_",
                                          "lora_",
                                          "_"};

constexpr std::string_view kWeight = ".weight";

std::string underscored(std::string name) {
    std::ranges::replace(name, '.', '_');
    return name;
}

/// Maps module names in all spellings to the canonical name. A parameter without a module (a table) counts as a module.
class ModuleNames {
public:
    ModuleNames(const CheckpointReader& base, const NativeKeys& native) {
        for (const auto& entry : base.entries()) {
            shapes_[entry.name] = entry.shape;
            add(module_of(entry.name), native);
        }
    }

    std::string find(std::string_view module) const {
        for (bool stripped = true; stripped;) {
            if (const auto found = names_.find(std::string(module)); found != names_.end()) return found->second;
            stripped = false;
            for (const auto prefix : kPrefixes) {
                if (!module.starts_with(prefix)) continue;
                module.remove_prefix(prefix.size());
                stripped = true;
                break;
            }
        }
        return {};
    }

    /// Returns the name of a module's weight, or of the table itself. Returns an empty string if neither exists.
    std::string weight_of(const std::string& module) const {
        return shapes_.contains(module + ".weight") ? module + ".weight" : shapes_.contains(module) ? module : "";
    }
    const std::vector<std::int64_t>* shape(const std::string& tensor) const {
        const auto found = shapes_.find(tensor);
        return found == shapes_.end() ? nullptr : &found->second;
    }

private:
    static std::string module_of(const std::string& tensor) {
        return tensor.ends_with(kWeight) ? tensor.substr(0, tensor.size() - kWeight.size()) : tensor;
    }

    void add(const std::string& module, const NativeKeys& native) {
        const std::string stored = stored_name(native, module);
        for (const auto& name : {module, underscored(module), stored, underscored(stored)})
            if (!name.empty()) names_.emplace(name, module);
    }

    std::map<std::string, std::string> names_;
    std::map<std::string, std::vector<std::int64_t>> shapes_;
};

std::int64_t numel(const std::vector<std::int64_t>& shape) {
    std::int64_t product = 1;
    for (const auto length : shape) product *= length;
    return product;
}

bool has_parts(const LoraModule& module) {
    return module.down.defined() || module.up_bias.defined() || module.weight_diff.defined() ||
           module.bias_diff.defined();
}

/// Returns true if the product of the two factors has the shape of the weight, flattened to rows and columns, or if
/// there is none.
bool product_fits(const LoraModule& module, const std::vector<std::int64_t>* shape) {
    if (!module.down.defined()) return true;
    if (shape == nullptr || shape->empty() || shape->front() == 0) return false;
    return module.up.size(0) == shape->front() && module.up.numel() == module.up.size(0) * module.up.size(1) &&
           module.down.numel() / module.down.size(0) == numel(*shape) / shape->front();
}

/// Returns true if a difference has as many values as the tensor, or if there is none.
bool diff_fits(const Tensor& diff, const std::vector<std::int64_t>* shape) {
    return !diff.defined() || (shape != nullptr && numel(*shape) == diff.numel());
}

/// Returns the first addition with NaN or infinity, or nullptr.
const WeightAddition* find_damaged(const std::vector<WeightAddition>& additions) {
    const auto found = std::ranges::find_if(additions, [](const auto& one) { return !is_finite(one); });
    return found == additions.end() ? nullptr : &*found;
}

class Resolver {
public:
    Resolver(const ModuleNames& names, const std::filesystem::path& source, double scale, WeightAdditions& additions)
        : names_(names), source_(source), scale_(scale), additions_(additions) {}

    /// Collects the additions of one module. Returns false without any addition if a part of it matches no tensor.
    bool add(const LoraModule& module, const std::string& name) {
        const std::string weight = names_.weight_of(name), bias = name + ".bias";
        if (!fits(module, names_.shape(weight), names_.shape(bias))) return false;
        if (module.down.defined())
            additions_[weight].push_back(
                {.scale = scale_ * module.scale, .down = module.down, .up = module.up, .diff = {}, .source = source_});
        add_diff(weight, module.weight_diff, scale_);
        add_diff(bias, module.bias_diff, scale_);
        add_diff(bias, module.up_bias, scale_ * module.scale);
        return true;
    }

private:
    using Shape = std::vector<std::int64_t>;

    static bool fits(const LoraModule& module, const Shape* weight, const Shape* bias) {
        return has_parts(module) && product_fits(module, weight) && diff_fits(module.weight_diff, weight) &&
               diff_fits(module.bias_diff, bias) && diff_fits(module.up_bias, bias);
    }

    void add_diff(const std::string& tensor, const Tensor& diff, double scale) {
        if (!diff.defined()) return;
        additions_[tensor].push_back({.scale = scale, .down = {}, .up = {}, .diff = diff, .source = source_});
    }

    const ModuleNames& names_;
    const std::filesystem::path& source_;
    double scale_;
    WeightAdditions& additions_;
};

}  // namespace

std::set<std::string> resolve_lora(const LoraFile& lora, double scale, const CheckpointReader& base,
                                   const NativeKeys& native, WeightAdditions& additions) {
    const ModuleNames names(base, native);
    Resolver resolver(names, lora.path, scale, additions);
    std::set<std::string> fitting;
    for (const auto& [name, module] : lora.modules) {
        const std::string canonical = names.find(name);
        if (!canonical.empty() && resolver.add(module, canonical)) fitting.insert(name);
    }
    return fitting;
}

PatchedReader::PatchedReader(std::shared_ptr<const CheckpointReader> base, WeightAdditions additions)
    : base_(std::move(base)), additions_(std::move(additions)), entries_(base_->entries()) {
    for (auto& entry : entries_) {
        const auto found = additions_.find(entry.name);
        if (found == additions_.end()) continue;
        if (is_quantized(entry)) {
            entry.additions = found->second;
            carried_.insert(additions_.extract(found));
            continue;
        }
        entry.dtype = at::kFloat;
        entry.bytes = numel(entry.shape) * static_cast<std::int64_t>(sizeof(float));
    }
}

Tensor PatchedReader::read(const std::string& name) const {
    const auto found = additions_.find(name);
    return found == additions_.end() ? base_->read(name) : add_to_weight(base_->read(name), found->second);
}

std::filesystem::path PatchedReader::source_of_damage(const std::string& name) const {
    const auto added = additions_.find(name);
    if (added != additions_.end()) {
        // The base file, or the first damaged LoRA, or the last LoRA: if every part is finite, its scale is too large.
        if (!is_finite(base_->read(name))) return base_->source_of_damage(name);
        return (find_damaged(added->second) ? *find_damaged(added->second) : added->second.back()).source;
    }
    const auto carried = carried_.find(name);
    const WeightAddition* damaged = carried == carried_.end() ? nullptr : find_damaged(carried->second);
    return damaged ? damaged->source : base_->source_of_damage(name);
}

}  // namespace kinescope
