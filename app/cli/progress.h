#pragma once

#include <iosfwd>
#include <memory>
#include <string>

#include "core/api/run_event.h"

namespace kinescope::cli {

enum class ProgressKind { automatic, bar, json, none };

/// Shows a run as it goes.
class Progress {
public:
    virtual ~Progress() = default;
    virtual void show(JobId job, const RunEvent& event) = 0;
    /// Takes the bar off the terminal, so that a message can stand there.
    virtual void clear() = 0;
};

/// `automatic` is a bar where stderr is a terminal, else nothing. JSON Lines go to `out`, a bar goes to `err`.
std::unique_ptr<Progress> make_progress(ProgressKind kind, std::ostream& out, std::ostream& err);

/// What the bar shows of a run.
struct ProgressState {
    Phase phase = Phase::load;
    int done = 0;
    int total = 0;            ///< 0: not known
    double seconds = 0;       ///< since the phase began
    double step_seconds = 0;  ///< of the last denoising step
    double max_abs = 0;       ///< of the latents
};

/// Folds an event into the state; true if the line changes.
bool update(ProgressState& state, const RunEvent& event);

/// One line of at most `columns` characters: phase, bar, count, seconds a step, time that is left in this phase.
std::string progress_line(const ProgressState& state, int columns);

}  // namespace kinescope::cli
