#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "app/cli/session.h"

namespace kinescope::cli {

/// The options that every command accepts.
struct GlobalArguments {
    bool json = false;
    bool quiet = false;
    std::string log_level = "info";
    std::filesystem::path log_file;
    std::filesystem::path resources;
};

/// Parses the command line. Not movable, because CLI11 keeps references.
class CommandParser {
public:
    using Action = std::function<int(const Session&)>;

    CommandParser();
    CommandParser(const CommandParser&) = delete;
    CommandParser& operator=(const CommandParser&) = delete;

    /// Adds a command, which set_action() completes.
    CLI::App& add(const char* name, const char* help);
    /// Sets what run() does if the command line names this command.
    void set_action(CLI::App& command, Action action);

    /// Throws CLI::ParseError, also for --help and --version.
    void parse(int argc, const char* const* argv);
    const GlobalArguments& global() const { return global_; }
    /// Returns whether an option was typed by this name. CLI11 does not tell by which of its names.
    bool is_typed(const std::string& option) const;
    /// Runs the parsed command. Returns the exit code. Throws Error.
    int run(const Session& session) const;

    /// Prints the help or the version. Parse nothing after it.
    int print_help(const CLI::ParseError& request, std::ostream& out, std::ostream& err);
    /// Describes what is wrong with the command line, and suggests what may be meant.
    Error usage_error(const CLI::ParseError& problem) const;

private:
    void add_global_flags();

    CLI::App app_;
    std::vector<std::string> typed_;  ///< the words of the command line
    GlobalArguments global_;
    Action action_;
};

}  // namespace kinescope::cli
