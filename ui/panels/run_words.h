#pragma once

#include <QString>
#include <optional>

#include "ui/models/run_model.h"

namespace kinescope::ui {

/// Returns the name of a segment of the phase bar.
QString phaseName(Phase phase);
/// Returns the run panel's title, or an empty string for states in which the panel is hidden.
QString stateTitle(RunState state);

/// Formats a duration like formatDuration(), but with tenths below 10 s: "0.4 s".
QString shortDuration(double seconds);
/// Returns the expected duration of a phase that has not started, or an empty string if `seconds` is 0.
QString aheadText(double seconds);
/// Returns the progress of the current phase. `left` is the remaining time in seconds, if it is known.
QString currentText(const PhaseView& view, std::optional<double> left);

/// Returns the sentence below the title of a run that enlarges or interpolates frames.
QString finishText(const FinishProgress& made);
/// Returns "Part 2 of 3", or an empty string for a video that is made at once.
QString partText(const RunProgress& progress);
/// Returns the sentence below the title of a paused, stopped or finished run.
QString pausedText(const RunPaused& paused);
QString stoppedText(const RunFacts& facts);
QString savedText(const RunFacts& facts);

}  // namespace kinescope::ui
