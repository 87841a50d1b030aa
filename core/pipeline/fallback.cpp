#include "core/pipeline/fallback.h"

#include "core/numerics/numerics_guard.h"

namespace kinescope {

namespace {

std::string argument(const Error& error, const char* name) {
    const auto found = error.arguments().find(name);
    return found == error.arguments().end() ? std::string() : found->second;
}

bool is_below(const std::filesystem::path& file, const ComponentFiles& component) {
    return file == component.weights || (!component.folder.empty() && file.parent_path() == component.folder);
}

/// The part of the model that a file belongs to; empty: none.
std::string component_of(const std::filesystem::path& file, const ModelFiles& files) {
    for (const auto& [name, component] : files.components)
        if (is_below(file, component)) return name;
    return {};
}

}  // namespace

bool can_move_to_cpu(const Error& error, const ComputePolicy& policy) {
    const std::string component = argument(error, "component");
    const auto choice = policy.components.find(component);
    const bool is_denoiser = component.starts_with("transformer") || component.starts_with("unet");
    return error.code() == ErrorCode::not_finite && !argument(error, "tried").empty() && !is_denoiser &&
           choice != policy.components.end() && !choice->second.precision.device.is_cpu();
}

ComputePolicy moved_to_cpu(ComputePolicy policy, const Error& error) {
    policy.components.at(argument(error, "component")).precision = Precision{};
    return policy;
}

std::optional<GuardActed> stop_record(const Error& error, const ModelFiles& files) {
    const std::string detector = argument(error, "detector");
    if (detector != "S0" && detector != "S9") return std::nullopt;
    GuardActed record = acted_on_error(error, GuardAction::stop);
    if (detector == "S0") record.site = component_of(argument(error, "path"), files) + "." + argument(error, "tensor");
    return record;
}

}  // namespace kinescope
