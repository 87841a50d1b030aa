#pragma once

#include <optional>
#include <string>

namespace kinescope {

/// Limits of the work of a child process on one answer. The cost of a hostile file is CPU time. The wall-clock time is
/// longer, because a child also waits for other programs and for drives.
struct AnswerLimits {
    double cpu_seconds = 60;
    double wall_seconds = 600;
};

/// The time that has passed since the child received a request.
struct AnswerTime {
    std::optional<double> cpu_seconds;  ///< of the child; nullopt: unknown
    double wall_seconds = 0;
};

/// The limit that an answer exceeds.
enum class Overrun { none, cpu, wall };

Overrun overrun_of(const AnswerTime& time, const AnswerLimits& limits);
/// How long to wait for an answer until its time is compared with the limits again.
double seconds_to_next_look(const AnswerTime& time, const AnswerLimits& limits);
/// Continues "the process that reads it".
std::string overrun_text(Overrun overrun, const AnswerLimits& limits);

}  // namespace kinescope
