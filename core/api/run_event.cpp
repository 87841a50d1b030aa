#include "core/api/run_event.h"

namespace kinescope {

bool is_warning(const GuardActed& record) {
    return record.action == "warn" || record.action == "observe";
}

std::string warning_text(const GuardActed& record) {
    const std::string when =
        record.phase == Phase::denoise ? "step " + std::to_string(record.step + 1) : to_string(record.phase);
    const std::string observed = record.action == "observe" ? "; the guard only observes" : "";
    return when + ", " + record.site + ": " + record.found.text + " (" + record.detector + ")" + observed;
}

}  // namespace kinescope
