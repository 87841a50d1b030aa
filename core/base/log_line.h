#pragma once

#include <string>

namespace kinescope {

// Lines of the program's log. For folders that also include Torch: its headers bring another {fmt} along than spdlog's,
// so they cannot include logging.h.
void log_info(const std::string& line);
void log_warning(const std::string& line);

}  // namespace kinescope
