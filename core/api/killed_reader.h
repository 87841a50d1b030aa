#pragma once

#include "core/api/error.h"

namespace kinescope {

/// The argument "cause" of an Error(file_unreadable): the process that reads the file was killed from outside, so the
/// file need not be damaged. The argument "signal" is the name of the signal.
inline constexpr const char* kReaderKilled = "reader_killed";

inline bool is_of_killed_reader(const Error& error) {
    return error.argument("cause") == kReaderKilled;
}

}  // namespace kinescope
