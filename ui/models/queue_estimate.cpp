#include "ui/models/queue_estimate.h"

namespace kinescope::ui {

std::vector<std::optional<double>> secondsToStart(const std::vector<QueuedTime>& jobs) {
    std::vector<std::optional<double>> starts(jobs.size());
    std::optional<double> passed = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const bool waits = jobs[i].state == JobState::waiting;
        if (waits) starts[i] = passed;
        if (!waits && jobs[i].state != JobState::running) continue;
        passed = passed && jobs[i].seconds ? std::optional(*passed + *jobs[i].seconds) : std::nullopt;
    }
    return starts;
}

std::string costKey(VideoRequest request) {
    request.prompt.clear();
    request.negative_prompt.reset();
    request.seed.reset();
    request.output = {};
    return to_json(request);
}

}  // namespace kinescope::ui
