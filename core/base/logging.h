#pragma once

// Engine code logs with spdlog::info("..."), ::warn and so on; this header brings them along.
#include <spdlog/spdlog.h>

#include <filesystem>
#include <functional>
#include <string_view>

namespace kinescope {

enum class LogLevel { debug, info, warning, error, off };

/// Throws Error(bad_usage) for a word other than debug, info, warning, error, off.
LogLevel parse_log_level(std::string_view word);

struct LoggingOptions {
    LogLevel level = LogLevel::info;  ///< what goes to stderr
    std::filesystem::path file = {};  ///< empty: none. Appended to; takes debug and above
    /// Told of every line from info up, on whichever thread logs; must return at once. The window's log pane.
    std::function<void(LogLevel level, std::string_view line)> listener = {};
};

/// Says where log lines go from now on. Called once by the main function, before the engine starts.
/// Throws Error(output_not_writable) when the log file cannot be opened.
void start_logging(const LoggingOptions& options);

/// A line of level info that begins with "note": what is good to know, and no fault.
void log_note(std::string_view line);

}  // namespace kinescope
