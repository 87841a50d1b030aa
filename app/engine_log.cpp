#include "app/engine_log.h"

#include "core/base/logging.h"

namespace kinescope {

namespace {

const char* level_name(LogLevel level) {
    return level == LogLevel::error ? "error" : level == LogLevel::warning ? "warning" : "info";
}

}  // namespace

void log_to(RunObserver& observer, LoggingOptions options) {
    options.listener = [&observer](LogLevel level, std::string_view line) {
        observer.on_event(0, LogLine{level_name(level), std::string(line)});
    };
    start_logging(options);
}

}  // namespace kinescope
