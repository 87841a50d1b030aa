#pragma once

#include <exception>

#include "core/api/error.h"

namespace kinescope {

/// Converts any exception that ended a job to an Error.
Error translate_error(const std::exception_ptr& exception);

}  // namespace kinescope
