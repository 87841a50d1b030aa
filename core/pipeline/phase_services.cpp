#include "core/pipeline/phase_services.h"

#include <algorithm>
#include <utility>

#include "core/api/component_role.h"
#include "core/device/device_fault.h"

namespace kinescope {

namespace {

std::set<std::string> streamable_components(const PhaseServices& services, Phase phase, const PhaseSetup& setup) {
    std::set<std::string> names;
    for (const auto& [name, choice] : setup.policy.components) {
        const MemoryQuery query{.files = services.files,
                                .request = setup.request,
                                .component = name,
                                .precision = choice.precision,
                                .phase = phase};
        if (phase_of(role_of(name)) == phase && !services.job.family->memory(query).block_lists.empty())
            names.insert(name);
    }
    return names;
}

/// Returns how the components compute before and after an action.
std::pair<ComputeMode, ComputeMode> modes(GuardAction action, const Device& device) {
    if (action != GuardAction::move_to_cpu) return {};
    return {OnDevice{.device = device.str()}, OnDevice{.device = "cpu", .precision = ComputePrecision{}}};
}

GuardActed shortage_record(const PhaseServices& services, Phase phase, const std::string& component, GuardAction action,
                           const std::exception& error) {
    const Device device = services.job.policy.device();
    auto [before, after] = modes(action, device);
    return {.phase = phase,
            .step = services.numerics.probe().step(),
            .site = component,
            .detector = Detector::memory,
            .found = {.code = "out_of_memory",
                      .values = {{"device", device.str()}},
                      .text = device.str() + " ran out of memory (" + device_message(error) + ")"},
            .action = action,
            .before = std::move(before),
            .after = std::move(after),
            .attempt = 0,
            .seconds = 0};
}

/// A VAE that encodes pictures needs its memory in two phases.
bool is_used(const PhaseServices& services, const std::string& component, Phase phase) {
    const ComponentRole role = role_of(component);
    const bool encodes = role == ComponentRole::vae && services.job.request.content.has_image();
    return phase_of(role) == phase || (encodes && phase == Phase::encode);
}

bool is_shortage(const PhaseServices& services, const std::exception& error) {
    return !services.job.policy.device().is_cpu() && device_fault(error) == DeviceFault::out_of_memory;
}

Error memory_error(const PhaseServices& services, Phase phase, const PhaseSetup& setup, const std::exception& error) {
    MemoryShortage shortage{.phase = phase, .setup = setup, .message = device_message(error)};
    for (const auto& [name, bytes] : services.job.least_memory) {
        if (!is_used(services, name, phase) || bytes <= shortage.least_bytes) continue;
        shortage.component = name;
        shortage.least_bytes = bytes;
    }
    return memory_error(shortage);
}

}  // namespace

PhaseSetup setup_with_less_memory(const PhaseServices& services, Phase phase, const PhaseSetup& planned,
                                  const std::exception& error) {
    if (!is_shortage(services, error)) throw;
    auto relief = relieve_memory(phase, planned, services.job.card, streamable_components(services, phase, planned));
    if (!relief) throw memory_error(services, phase, planned, error);
    for (const std::string& component : relief->components)
        services.numerics.journal().write_down(shortage_record(services, phase, component, relief->action, error));
    return std::move(relief->setup);
}

}  // namespace kinescope
