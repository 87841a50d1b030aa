#pragma once

#include <string>

#include "core/protocol/message.h"

namespace kinescope::remote {

/// The side of the connection that a greeting comes from.
enum class Peer { engine, program };

/// Throws Error(unsupported) if this program cannot speak to a peer: another program, version of the program or of the
/// protocol, or schema. The schema does not cover everything, e.g. the fields of a request. `version`: of this program.
void require_same_version(Peer from, const protocol::Hello& peer, const std::string& version);

/// Returns true for an error of require_same_version. Its arguments "engine" and "program" are the two versions.
bool is_other_version(const Error& error);

/// This program's greeting.
protocol::Hello make_hello(const std::string& version, double heartbeat_seconds);

}  // namespace kinescope::remote
