#include "app/engine_log.h"

#include "core/base/logging.h"

namespace kinescope {

namespace {

LogLineLevel line_level(LogLevel level) {
    if (level == LogLevel::error) return LogLineLevel::error;
    return level == LogLevel::warning ? LogLineLevel::warning : LogLineLevel::info;
}

}  // namespace

void log_to(RunObserver& observer, LoggingOptions options) {
    options.listener = [&observer](LogLevel level, std::string_view line) {
        observer.on_event(0, LogLine{line_level(level), std::string(line)});
    };
    start_logging(options);
}

}  // namespace kinescope
