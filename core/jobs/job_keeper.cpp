#include "core/jobs/job_keeper.h"

namespace kinescope {

std::optional<KeptRun> JobKeeper::recall() {
    Recalled recalled = archive_.recall();
    for (const std::string& words : recalled.warnings) emit_(LogLine{"warning", words});
    return std::move(recalled.run);
}

template <class Keep>
void JobKeeper::try_to(Keep keep) {
    try {
        keep();
    } catch (const Error& error) {
        if (!has_warned_) emit_(LogLine{"warning", error.message() + "; if the program is killed now, steps are lost"});
        has_warned_ = true;
    }
}

void JobKeeper::keep_conditioning(const Conditioning& conditioning, const RunPosition& position) {
    try_to([&] { archive_.keep_conditioning(conditioning, position); });
}

void JobKeeper::keep_step(const RunPosition& position) {
    try_to([&] { archive_.keep_step(position); });
}

}  // namespace kinescope
