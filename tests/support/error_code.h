#pragma once

#include <functional>

#include "core/api/error.h"

namespace kinescope::testing {

/// Returns the code of the Error that the action throws, or ErrorCode::internal if it throws none.
inline ErrorCode code_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.code();
    }
    return ErrorCode::internal;
}

}  // namespace kinescope::testing
