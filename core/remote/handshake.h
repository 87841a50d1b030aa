#pragma once

#include <string>

#include "core/protocol/message.h"

namespace kinescope::remote {

/// Throws Error(unsupported) if this program cannot speak to a peer: another program, version of the protocol or
/// schema. `version`: of this program.
void require_same_protocol(const protocol::Hello& peer, const std::string& version);

/// This program's greeting.
protocol::Hello make_hello(const std::string& version, double heartbeat_seconds);

}  // namespace kinescope::remote
