#include "core/pipeline/fallback.h"

#include "core/api/component_role.h"
#include "core/numerics/guard_record.h"
#include "core/numerics/stop_error.h"

namespace kinescope {

namespace {

bool is_below(const std::filesystem::path& file, const ComponentFiles& component) {
    return file == component.weights || (!component.folder.empty() && file.parent_path() == component.folder);
}

/// Returns the name of the component to which a file belongs, or an empty string if there is none.
std::string component_of(const std::filesystem::path& file, const ModelFiles& files) {
    for (const auto& [name, component] : files.components)
        if (is_below(file, component)) return name;
    return {};
}

bool is_of(const NumericError* error, Detector detector) {
    return error != nullptr && error->fault().detector == detector;
}

}  // namespace

bool can_move_to_cpu(const NumericError& error, const ComputePolicy& policy) {
    const NumericFault& fault = error.fault();
    const bool is_of_op = fault.detector != Detector::weights && fault.detector != Detector::frames;
    const bool is_denoiser = role_of(fault.component) == ComponentRole::denoiser;
    const auto choice = policy.components.find(fault.component);
    return is_of_op && !is_denoiser && choice != policy.components.end() && !choice->second.precision.device.is_cpu();
}

ComputePolicy moved_to_cpu(ComputePolicy policy, const NumericError& error) {
    policy.components.at(error.fault().component).precision = Precision{};
    return policy;
}

std::optional<GuardActed> stop_record(const Error& error, const ModelFiles& files) {
    const auto* numeric = dynamic_cast<const NumericError*>(&error);
    const bool is_of_weight = is_of(numeric, Detector::weights);
    if (!is_of_weight && !is_of(numeric, Detector::frames)) return std::nullopt;
    GuardActed record = guard_acted(*numeric, GuardAction::stop);
    if (is_of_weight) record.site = component_of(numeric->fault().file, files) + "." + numeric->fault().site;
    return record;
}

std::optional<NumericError> observed_cause(const Error& error, const std::vector<GuardActed>& warnings) {
    if (!is_of(dynamic_cast<const NumericError*>(&error), Detector::frames)) return std::nullopt;
    const auto first = first_not_finite(warnings);
    return first ? std::optional(observed_error(*first, error)) : std::nullopt;
}

}  // namespace kinescope
