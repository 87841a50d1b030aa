#pragma once

#include <string>

namespace kinescope {

// Logging for code that includes Torch: Torch's headers contain another version of {fmt} than spdlog, so this code
// cannot include logging.h.
void log_info(const std::string& line);
void log_warning(const std::string& line);

}  // namespace kinescope
