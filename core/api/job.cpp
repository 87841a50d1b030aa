#include "core/api/job.h"

#include <array>
#include <utility>

namespace kinescope {

namespace {

constexpr std::array<std::pair<JobState, std::string_view>, 7> kNames{{{JobState::waiting, "waiting"},
                                                                       {JobState::running, "running"},
                                                                       {JobState::paused, "paused"},
                                                                       {JobState::interrupted, "interrupted"},
                                                                       {JobState::finished, "finished"},
                                                                       {JobState::failed, "failed"},
                                                                       {JobState::cancelled, "cancelled"}}};

}  // namespace

std::string_view to_string(JobState state) {
    for (const auto& [known, name] : kNames)
        if (known == state) return name;
    return {};
}

std::optional<JobState> job_state_from(std::string_view name) {
    for (const auto& [state, known] : kNames)
        if (known == name) return state;
    return std::nullopt;
}

bool is_over(JobState state) {
    return state == JobState::finished || state == JobState::failed || state == JobState::cancelled;
}

bool can_resume(JobState state) {
    return state == JobState::paused || state == JobState::interrupted;
}

bool can_queue_again(JobState state) {
    return can_resume(state) || state == JobState::failed || state == JobState::waiting;
}

}  // namespace kinescope
