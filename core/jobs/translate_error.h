#pragma once

#include <exception>

#include "core/api/error.h"
#include "core/base/cancellation.h"

namespace kinescope {

/// Converts any exception that ended a job to an Error.
Error translate_error(const std::exception_ptr& exception);

/// Calls `function` and returns its result. Throws Cancelled, Error, each of its own class, such as NumericError, and
/// an Error instead of any other exception.
template <class Function>
auto with_translated_errors(Function function) {
    try {
        return function();
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        throw;
    } catch (...) {
        throw translate_error(std::current_exception());
    }
}

}  // namespace kinescope
