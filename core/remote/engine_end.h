#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/api/localizable_message.h"
#include "core/base/piped_child.h"

namespace kinescope::remote {

/// How the connection to an engine's process ended.
struct EngineEnd {
    std::optional<ChildStatus> status;    ///< nullopt: the process cannot be ended, or was left alone
    double silent_seconds = 0;            ///< above 0: it was killed after this time without a message
    std::string invalid_message;          ///< it was killed because of a message with this fault; empty: it was not
    std::vector<std::string> last_lines;  ///< of its standard error, oldest first
    std::optional<Error> reason;          ///< why it ended itself
    std::vector<std::string> unanswered;  ///< the calls that it was working on
};

/// One sentence, see EngineEnded::cause. Its values are "signal" (a name), "exit_code", "seconds", "fault" or
/// "error".
LocalizableMessage cause_of(const EngineEnd& end);

/// The error of a job that is set aside because its engine ended.
Error lost_error(const LocalizableMessage& cause);

/// A job that has ended this many engines is set aside.
constexpr int kMostEndedEngines = 2;

}  // namespace kinescope::remote
