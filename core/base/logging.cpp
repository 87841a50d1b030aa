#include "core/base/logging.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/api/error.h"
#include "core/base/append_file.h"
#include "core/base/printable.h"

namespace kinescope {
namespace {

struct LevelName {
    std::string_view word;
    LogLevel level;
    spdlog::level::level_enum spdlog_level;
};

constexpr std::array<LevelName, 5> kLevels{{{"debug", LogLevel::debug, spdlog::level::debug},
                                            {"info", LogLevel::info, spdlog::level::info},
                                            {"warning", LogLevel::warning, spdlog::level::warn},
                                            {"error", LogLevel::error, spdlog::level::err},
                                            {"off", LogLevel::off, spdlog::level::off}}};

spdlog::level::level_enum to_spdlog(LogLevel level) {
    return kLevels[static_cast<std::size_t>(level)].spdlog_level;
}

LogLevel from_spdlog(spdlog::level::level_enum level) {
    if (level >= spdlog::level::err) return LogLevel::error;
    if (level == spdlog::level::warn) return LogLevel::warning;
    return level == spdlog::level::info ? LogLevel::info : LogLevel::debug;
}

class ListenerSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit ListenerSink(decltype(LoggingOptions::listener) listener) : listener_(std::move(listener)) {}

private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        listener_(from_spdlog(message.level), std::string_view(message.payload.data(), message.payload.size()));
    }
    void flush_() override {}

    decltype(LoggingOptions::listener) listener_;
};

constexpr const char* kProgram = "kinescope";  ///< the name of the logger, except for lines of log_note
constexpr std::string_view kNotes = "note";    ///< the logger's name for lines of log_note

/// Formats the name of the level, or "note" for lines of log_note.
class LevelOrNote final : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& line) override {
        const bool is_note = std::string_view(message.logger_name.data(), message.logger_name.size()) == kNotes;
        const auto level = spdlog::level::to_string_view(message.level);
        const std::string_view word = is_note ? kNotes : std::string_view(level.data(), level.size());
        line.append(word.data(), word.data() + word.size());
    }
    std::unique_ptr<spdlog::custom_flag_formatter> clone() const override { return std::make_unique<LevelOrNote>(); }
};

/// Formats the message without control sequences, see printable().
class PrintableMessage final : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& line) override {
        const std::string text = printable({message.payload.data(), message.payload.size()});
        line.append(text.data(), text.data() + text.size());
    }
    std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
        return std::make_unique<PrintableMessage>();
    }
};

/// Returns a formatter with two additions to the pattern syntax: %* stands for the level or "note", %! for the message.
std::unique_ptr<spdlog::formatter> make_formatter(const std::string& pattern) {
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<LevelOrNote>('*').add_flag<PrintableMessage>('!').set_pattern(pattern);
    return formatter;
}

/// Writes each line with a single call, so that lines of several programs do not mix in a shared log file.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit FileSink(const std::filesystem::path& file) : file_(file) {}

private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        const int error_number = file_.append({line.data(), line.size()});
        if (error_number != 0) throw spdlog::spdlog_ex("cannot write " + file_.path().string(), error_number);
    }
    void flush_() override {}

    AppendFile file_;
};

}  // namespace

LogLevel parse_log_level(std::string_view word) {
    for (const auto& name : kLevels) {
        if (name.word == word) return name.level;
    }
    throw Error(ErrorCode::bad_usage,
                "'" + std::string(word) + "' is not a log level; use debug, info, warning, error or off");
}

void start_logging(const LoggingOptions& options) {
    std::vector<spdlog::sink_ptr> sinks{std::make_shared<spdlog::sinks::stderr_color_sink_mt>()};
    sinks.back()->set_level(to_spdlog(options.level));
    sinks.back()->set_formatter(make_formatter("%^%*%$: %!"));  // no date, because this output is read live
    if (!options.file.empty()) {
        sinks.push_back(std::make_shared<FileSink>(options.file));
        sinks.back()->set_level(spdlog::level::debug);
        sinks.back()->set_formatter(make_formatter("[%Y-%m-%d %H:%M:%S.%e] [%n] [%l] %!"));
    }
    if (options.listener) {
        sinks.push_back(std::make_shared<ListenerSink>(options.listener));
        sinks.back()->set_level(spdlog::level::info);
    }
    auto logger = std::make_shared<spdlog::logger>(kProgram, sinks.begin(), sinks.end());
    logger->set_level(spdlog::level::debug);
    logger->flush_on(spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
}

void log_note(std::string_view line) {
    const auto& sinks = spdlog::default_logger_raw()->sinks();
    spdlog::logger(std::string(kNotes), sinks.begin(), sinks.end()).info("{}", line);
}

void log_to_file(LogLevel level, std::string_view line) {
    for (const spdlog::sink_ptr& sink : spdlog::default_logger_raw()->sinks()) {
        if (!std::dynamic_pointer_cast<FileSink>(sink)) continue;
        spdlog::logger logger(kProgram, sink);
        logger.set_level(spdlog::level::debug);
        logger.log(to_spdlog(level), "{}", line);
    }
}

}  // namespace kinescope
