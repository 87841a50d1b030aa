#pragma once

// Engine code logs with spdlog::info("..."), spdlog::warn and so on.
#include <spdlog/spdlog.h>

#include <filesystem>
#include <functional>
#include <string_view>

namespace kinescope {

enum class LogLevel { debug, info, warning, error, off };

/// Parses "debug", "info", "warning", "error" or "off". Throws Error(bad_usage) for other words.
LogLevel parse_log_level(std::string_view word);

struct LoggingOptions {
    LogLevel level = LogLevel::info;  ///< minimum level for stderr
    std::filesystem::path file =
        {};  ///< file to which lines of all levels are appended, debug included; empty: no file
    /// Receives every line of level info or higher, for the window's log pane. Runs on the thread that logs and must
    /// return immediately.
    std::function<void(LogLevel level, std::string_view line)> listener = {};
};

/// Configures logging. Call it before the engine starts. Throws Error(output_not_writable) if the log file cannot be
/// opened.
void start_logging(const LoggingOptions& options);

/// Logs a line at level info, with the prefix "note" instead of "info".
void log_note(std::string_view line);

/// Writes a line to the log file only, if there is one. For messages that the program prints itself.
void log_to_file(LogLevel level, std::string_view line);

}  // namespace kinescope
