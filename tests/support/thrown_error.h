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

/// Returns the code of the error that the call throws.
template <class Call>
std::optional<ErrorCode> code_of(Call&& call) {
    const std::optional<Error> error = error_of(call);
    return error ? std::optional(error->code()) : std::nullopt;
}

/// Returns the error that a call has to throw, and another one if it throws none, so that a comparison fails.
template <class Call>
Error thrown_by(Call&& call) {
    return error_of(call).value_or(Error(ErrorCode::internal, "nothing was thrown"));
}

}  // namespace kinescope::testing
