#pragma once

#include <filesystem>
#include <string>

#include "core/api/error.h"

namespace kinescope {

/// Throws Error(unsupported) for an option of a scheduler's config file.
[[noreturn]] inline void refuse_option(const std::filesystem::path& file, const std::string& option) {
    throw Error(ErrorCode::unsupported, file.string() + ": " + option + " is not supported",
                "Choose another scheduler in the request.");
}

}  // namespace kinescope
