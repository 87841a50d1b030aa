#pragma once

#include "core/api/error.h"

namespace kinescope::cli {

/// What the process returns; fixed for scripts.
enum ExitCode {
    kDone = 0,
    kFailed = 1,          ///< failed while running; for verify: beyond tolerance
    kBadRequest = 2,      ///< bad usage or bad request: nothing was started
    kCancelled = 3,       ///< by the user; what is playable is kept
    kNumericFailure = 4,  ///< no video under the final name
    kSuspended = 5,       ///< by SIGTERM or SIGHUP; the job is kept, and resume continues it
};

ExitCode exit_code_of(ErrorCode code);

/// As of its code, but kFailed for an error that came after a whole run (its arguments name the file that was kept),
/// and kBadRequest for a limit of memory that the request does not fit into (they name the program's part).
ExitCode exit_code_of(const Error& error);

}  // namespace kinescope::cli
