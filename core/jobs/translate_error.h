#pragma once

#include <exception>

#include "core/api/error.h"

namespace kinescope {

/// Whatever ended a job, as the one error type.
Error translate_error(const std::exception_ptr& exception);

}  // namespace kinescope
