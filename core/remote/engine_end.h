#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/localizable_message.h"
#include "core/base/piped_child.h"

namespace kinescope::remote {

/// How the connection to an engine's process ended.
struct EngineEnd {
    ChildStatus status;
    double silent_seconds = 0;            ///< above 0: it was killed after this time without a message
    std::string invalid_message;          ///< it was killed because of a message with this fault; empty: it was not
    std::vector<std::string> last_lines;  ///< of its standard error, oldest first
};

/// One sentence, see EngineEnded::cause. Its values are "signal" (a name), "exit_code", "seconds" or "fault".
LocalizableMessage cause_of(const EngineEnd& end);

}  // namespace kinescope::remote
