#pragma once

#include <string>

namespace kinescope {

/// Returns a warning if user_dirs() uses a folder in the temporary directory, because the user has no home folder;
/// otherwise an empty string.
std::string missing_home_warning();

}  // namespace kinescope
