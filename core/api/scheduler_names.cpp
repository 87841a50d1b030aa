#include "core/api/scheduler_names.h"

#include <array>
#include <utility>

namespace kinescope {

std::string short_scheduler_name(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kClasses = {{
        {"UniPCMultistepScheduler", "unipc"},
        {"FlowMatchEulerDiscreteScheduler", "flow_match_euler"},
        {"DPMSolverMultistepScheduler", "dpmpp_2m"},
        {"CogVideoXDDIMScheduler", "cogvideox_ddim"},
        {"CogVideoXDPMScheduler", "cogvideox_dpm"},
        {"FlowMatchDiscreteScheduler", "flow_match_discrete"},
        {"EulerDiscreteScheduler", "euler"},
    }};
    for (const auto& [class_name, short_name] : kClasses)
        if (name == class_name) return std::string(short_name);
    return std::string(name);
}

}  // namespace kinescope
