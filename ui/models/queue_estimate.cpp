#include "ui/models/queue_estimate.h"

#include <algorithm>

namespace kinescope::ui {

namespace {

using Seconds = std::optional<double>;

/// For each engine, the time until it is free; nullopt: unknown.
std::vector<Seconds> busyTimes(const std::vector<QueuedTime>& jobs) {
    std::vector<Seconds> times;
    for (const QueuedTime& job : jobs)
        if (job.state == JobState::running) times.push_back(job.seconds);
    return times.empty() ? std::vector<Seconds>{0.0} : times;
}

}  // namespace

std::vector<Seconds> secondsToStart(const std::vector<QueuedTime>& jobs) {
    std::vector<Seconds> starts(jobs.size());
    std::vector<Seconds> engines = busyTimes(jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (jobs[i].state != JobState::waiting) continue;
        Seconds& next = *std::ranges::min_element(engines);  // an unknown time is the smallest
        starts[i] = next;
        next = next && jobs[i].seconds ? Seconds(*next + *jobs[i].seconds) : std::nullopt;
    }
    return starts;
}

std::string costKey(VideoRequest request) {
    request.prompt.clear();
    request.negative_prompt.reset();
    for (std::string& prompt : request.next_prompts) prompt.clear();
    request.seed.reset();
    request.output = {};
    return to_json(request);
}

}  // namespace kinescope::ui
