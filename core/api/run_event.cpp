#include "core/api/run_event.h"

namespace kinescope {

std::string to_string(GuardAction action) {
    switch (action) {
        case GuardAction::warn:
            return "warn";
        case GuardAction::observe:
            return "observe";
        case GuardAction::repeat:
            return "repeat";
        case GuardAction::accumulate_float32:
            return "accumulate_float32";
        case GuardAction::raise:
            return "raise";
        case GuardAction::raise_ahead:
            return "raise_ahead";
        case GuardAction::raise_component:
            return "raise_component";
        case GuardAction::move_to_cpu:
            return "move_to_cpu";
        case GuardAction::learned:
            return "learned";
        case GuardAction::stop:
            return "stop";
    }
    return "warn";
}

bool is_warning(const GuardActed& record) {
    return record.action == GuardAction::warn || record.action == GuardAction::observe;
}

std::string warning_text(const GuardActed& record) {
    const std::string when =
        record.phase == Phase::denoise ? "step " + std::to_string(record.step + 1) : to_string(record.phase);
    const std::string observed = record.action == GuardAction::observe ? "; the guard only observes" : "";
    return when + ", " + record.site + ": " + record.found.text + " (" + to_string(record.detector) + ")" + observed;
}

}  // namespace kinescope
