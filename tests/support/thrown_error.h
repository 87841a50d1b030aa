#pragma once

#include <optional>

#include "core/api/error.h"

namespace kinescope::testing {

/// Returns the error that the call throws.
template <class Call>
std::optional<Error> error_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

}  // namespace kinescope::testing
