#pragma once

#include "core/api/error.h"

namespace kinescope {

/// The value of the argument "cause" of an Error(file_unreadable) if the process that reads the file was killed from
/// outside. The argument "signal" contains the name of the signal.
inline constexpr const char* kReaderKilled = "reader_killed";
/// The same if Kinescope has killed this process, because it waited too long for a drive or for other programs.
inline constexpr const char* kReaderStalled = "reader_stalled";

inline bool is_of_stalled_reader(const Error& error) {
    return error.argument("cause") == kReaderStalled;
}

/// Returns true if the process was killed for no fault of the file, which is then not necessarily damaged.
inline bool is_of_killed_reader(const Error& error) {
    return error.argument("cause") == kReaderKilled || is_of_stalled_reader(error);
}

}  // namespace kinescope
