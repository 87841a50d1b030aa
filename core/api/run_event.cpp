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

}  // namespace kinescope
