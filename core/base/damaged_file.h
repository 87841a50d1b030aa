#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/api/error.h"

namespace kinescope {

/// Returns the arguments of an error that proves that the contents of a file are damaged. Other errors of a file may be
/// those of the system, or of the process that reads it.
inline std::map<std::string, std::string> arguments_of_damage(const std::filesystem::path& file) {
    return {{"path", file.string()}, {"fault", "contents"}};
}

/// Returns true if an error has the arguments of damage of this file.
inline bool proves_damage(const Error& error, const std::filesystem::path& file) {
    return error.argument("fault") == "contents" && error.argument("path") == file.string();
}

}  // namespace kinescope
