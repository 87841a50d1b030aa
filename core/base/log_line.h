#pragma once

#include <string>

namespace kinescope {

// Logging for code that includes Torch. This code cannot include logging.h, because Torch's headers contain another
// version of {fmt} than spdlog.
void log_info(const std::string& line);
void log_warning(const std::string& line);

}  // namespace kinescope
