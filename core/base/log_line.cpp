#include "core/base/log_line.h"

#include "core/base/logging.h"

namespace kinescope {

void log_info(const std::string& line) {
    spdlog::info("{}", line);
}

void log_warning(const std::string& line) {
    spdlog::warn("{}", line);
}

}  // namespace kinescope
