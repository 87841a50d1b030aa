#include "core/base/answer_limits.h"

#include <algorithm>

namespace kinescope {

Overrun overrun_of(const AnswerTime& time, const AnswerLimits& limits) {
    if (time.cpu_seconds.value_or(0) >= limits.cpu_seconds) return Overrun::cpu;
    return time.wall_seconds >= limits.wall_seconds ? Overrun::wall : Overrun::none;
}

double seconds_to_next_look(const AnswerTime& time, const AnswerLimits& limits) {
    constexpr double kLeast = 0.01;
    constexpr double kMost = 1;  // several threads reach the limit of CPU time earlier than one
    const double cpu_left = limits.cpu_seconds - time.cpu_seconds.value_or(0);
    return std::clamp(std::min(cpu_left, limits.wall_seconds - time.wall_seconds), kLeast, kMost);
}

std::string overrun_text(Overrun overrun, const AnswerLimits& limits) {
    const double seconds = overrun == Overrun::cpu ? limits.cpu_seconds : limits.wall_seconds;
    return "did not answer within " + std::to_string(static_cast<int>(seconds)) +
           (overrun == Overrun::cpu ? " s of CPU time" : " s");
}

}  // namespace kinescope
