#pragma once

#include "core/api/error.h"

namespace kinescope::cli {

/// Exit codes of the process. Scripts rely on them, so they never change.
enum ExitCode {
    kDone = 0,
    kFailed = 1,          ///< failed while running; for verify and compare: beyond tolerance
    kBadRequest = 2,      ///< the command line, the request or a file that it names is wrong; no step was made
    kCancelled = 3,       ///< cancelled by the user; playable output is kept
    kNumericFailure = 4,  ///< numeric fault: no video was written
    kSuspended = 5,       ///< suspended by SIGTERM or SIGHUP; resume continues the saved job
};

ExitCode exit_code_of(ErrorCode code);

/// Returns the exit code of an error. It follows from the error's code, with four exceptions: kFailed after a complete
/// run (the arguments name the kept file), for a download (they contain "url") whose address is right (see
/// kWrongAddress) and for a reader that was killed (see is_of_killed_reader), and kBadRequest for a request that needs
/// more memory than its own limit (they contain "program").
ExitCode exit_code_of(const Error& error);

/// How far a job or a finished copy came before it failed.
enum class RunProgress { not_started, no_step, some_steps };

/// Returns the exit code of the error that ended a job: kBadRequest only if it has not started, or if its input proved
/// wrong before the first step.
ExitCode exit_code_of(const Error& error, RunProgress progress);

}  // namespace kinescope::cli
