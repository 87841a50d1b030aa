#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include "core/api/run_event.h"

namespace kinescope::cli {

enum class ProgressKind { automatic, bar, json, none };

/// Shows the progress of a run.
class Progress {
public:
    virtual ~Progress() = default;
    virtual void show(JobId job, const RunEvent& event) = 0;
    /// Removes the bar from the terminal. Must be called before a message is printed.
    virtual void clear() = 0;
    /// Returns true if the events are JSON Lines on standard output, which then contains nothing else.
    virtual bool is_json() const { return false; }
};

/// Creates a progress display. `automatic` means a bar if stderr is a terminal, otherwise none. Writes JSON Lines to
/// `out`, a bar to `err`.
std::unique_ptr<Progress> make_progress(ProgressKind kind, std::ostream& out, std::ostream& err);

/// The state shown by the bar.
struct ProgressState {
    Phase phase = Phase::load;
    int done = 0;
    int total = 0;                              ///< 0: unknown
    double seconds = 0;                         ///< time since the start of the phase
    double step_seconds = 0;                    ///< duration of the last denoising step
    double max_abs = 0;                         ///< largest magnitude of the latents
    std::optional<FinishStage> finishing = {};  ///< set while the frames are enlarged or interpolated
};

/// Updates the state. Returns true if the line of the bar changes.
bool update(ProgressState& state, const RunEvent& event);

/// Returns a line of at most `columns` characters with phase, bar, count, seconds per step, and remaining time of the
/// phase.
std::string progress_line(const ProgressState& state, int columns);

}  // namespace kinescope::cli
