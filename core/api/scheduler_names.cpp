#include "core/api/scheduler_names.h"

#include <array>
#include <utility>

namespace kinescope {

std::string short_scheduler_name(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kClasses = {{
        {"UniPCMultistepScheduler", "unipc"},
        {"FlowMatchEulerDiscreteScheduler", "flow_match_euler"},
    }};
    for (const auto& [class_name, short_name] : kClasses)
        if (name == class_name) return std::string(short_name);
    return std::string(name);
}

}  // namespace kinescope
