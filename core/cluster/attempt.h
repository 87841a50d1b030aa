#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/error.h"
#include "core/base/json.h"

namespace kinescope::cluster {

/// Numbers one start of a task. The start with the greatest number holds the lease: all others stop and publish
/// nothing. No clock is involved.
struct AttemptKey {
    int submission = 1;  ///< which call of sbatch
    int restart = 0;     ///< SLURM_RESTART_COUNT: Slurm starts a task again after the loss of a node
    auto operator<=>(const AttemptKey&) const = default;

    /// Returns the name of the attempt's folder: "2.1".
    std::string name() const;
};
/// Parses a folder's name. Returns nullopt for other names.
std::optional<AttemptKey> attempt_key_from(std::string_view name);

enum class AttemptState {
    starting,
    running,
    finished,
    failed,
    stopped,    ///< by a signal or by the user; the last finished step is kept
    superseded  ///< another start of the task holds the lease
};

/// Why an attempt stopped.
enum class StopCause {
    none,
    signal,      ///< SIGTERM: scancel, a requeue, the node's shutdown
    time_limit,  ///< announced by Slurm
    cancelled    ///< the user cancelled the task with Kinescope
};

/// What a task reports in its status file while it runs.
struct AttemptStatus {
    std::int64_t sequence = 0;  ///< grows with every report; shows that the task is alive without comparing clocks
    AttemptState state = AttemptState::starting;
    StopCause cause = StopCause::none;
    std::string node = {};  ///< SLURMD_NODENAME
    std::string phase = {};
    int step = 0;  ///< finished steps
    int num_steps = 0;
    double step_seconds = 0;
    double seconds_left = 0;  ///< of the phase; 0: unknown
    int exit_code = 0;        ///< of the process, for an attempt that ended
    std::optional<Error> error = {};
    std::vector<std::string> warnings = {};
};

Json to_json(const AttemptStatus& status);
/// Throws JsonError.
AttemptStatus attempt_status_from(const Json& json);

std::string_view to_string(AttemptState state);

}  // namespace kinescope::cluster
