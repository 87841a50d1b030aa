#pragma once

#include "core/api/error.h"

namespace kinescope {

/// The value of the argument "cause" of an Error(file_unreadable) if the process that reads the file was killed from
/// outside. The file is then not necessarily damaged. The argument "signal" contains the name of the signal.
inline constexpr const char* kReaderKilled = "reader_killed";

inline bool is_of_killed_reader(const Error& error) {
    return error.argument("cause") == kReaderKilled;
}

}  // namespace kinescope
