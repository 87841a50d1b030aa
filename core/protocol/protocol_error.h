#pragma once

#include <stdexcept>

namespace kinescope::protocol {

/// Thrown for bytes that are not a valid message. what() is one short line that names the fault.
class ProtocolError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace kinescope::protocol
