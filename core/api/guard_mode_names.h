#pragma once

#include <array>
#include <utility>

#include "core/api/video_request.h"

namespace kinescope {

/// The names of the guard modes in requests and settings, in order of increasing intervention.
inline constexpr std::array<std::pair<GuardMode, const char*>, 3> kGuardModes = {
    {{GuardMode::off, "off"}, {GuardMode::observe, "observe"}, {GuardMode::heal, "heal"}}};

constexpr const char* guard_mode_name(GuardMode mode) {
    for (const auto& [known, name] : kGuardModes)
        if (known == mode) return name;
    return "";
}

}  // namespace kinescope
