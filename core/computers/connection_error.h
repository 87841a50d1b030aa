#pragma once

#include <string>

#include "core/api/error.h"

namespace kinescope::computers {

/// Thrown while a computer cannot be reached; what was to be done there can be tried again.
class Unreachable : public Error {
public:
    explicit Unreachable(const Error& error) : Error(error) {}
};

/// Says why a connection could not be made. `found` is the error of EngineConnection, whose message has the last lines
/// of the command: those of ssh and of the shell and the program on the other side. The result's argument "computer" is
/// the name and "cause" one of unknown_host, refused, no_key, unknown_key, no_program, no_program_here, not_engine,
/// no_greeting, other_version, disk_full, storage_full (of a cluster), not_writable, other. "lines" are the last lines
/// of the command. Pure.
Error connection_error(const std::string& computer, const Error& found);

/// Puts the name of the computer before the message of an error that happened there. An engine that was started
/// without --keep has the cause not_kept. Pure.
Error error_there(const std::string& computer, const Error& error);

}  // namespace kinescope::computers
