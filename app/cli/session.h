#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "app/cli/json_values.h"
#include "core/api/engine.h"

namespace kinescope::cli {

/// A function that creates the engine. Tests use one that creates a stub engine.
using EngineFactory = std::function<std::unique_ptr<Engine>(EngineOptions options, RunObserver& observer)>;

enum class OutputFormat { human, json };

/// `quiet` is the option --quiet.
enum class Verbosity { normal, quiet };

/// The environment of a command: streams for results and messages, and the engine factory.
struct Session {
    std::ostream& out;  ///< results only
    std::ostream& err;  ///< messages
    /// For the program's own control sequences. The other two streams filter control characters.
    std::ostream& terminal;
    OutputFormat format = OutputFormat::human;
    EngineOptions engine_options;
    EngineFactory make_engine;
    /// Also sends log lines to an observer; nullptr: no longer.
    std::function<void(RunObserver*)> send_log = {};
    Verbosity verbosity = Verbosity::normal;
};

/// Creates an engine for commands that do not start jobs. Ignores events.
std::unique_ptr<Engine> make_quiet_engine(const Session& session);

/// Creates an engine for commands that do not start jobs but need events.
std::unique_ptr<Engine> make_engine_without_queue(const Session& session, RunObserver& observer);

/// Creates an engine for commands that start jobs. Jobs are saved on disk, in default_jobs_dir() if `jobs_dir` is
/// empty.
std::unique_ptr<Engine> make_keeping_engine(const Session& session, RunObserver& observer,
                                            const std::filesystem::path& jobs_dir = {});

/// Prints a message to stderr, also with --quiet, and writes it to the log file.
void say(const Session& session, const std::string& line);

/// Prints an error to stderr: "error[code]: ..." for each line of the message, then the hint. Writes the same lines to
/// the log file.
void print_error(const Session& session, const Error& error);

/// Prints a JSON document in one line to stdout. Does nothing if the session's format is not JSON.
void print_json(const Session& session, const Json& json);

/// Calls print_error() and prints {"error": ...} if the format is JSON. Returns the exit code.
int report(const Session& session, const Error& error);

/// Prints the faults of a request like an error. Returns kBadRequest.
int report(const Session& session, const std::vector<Fault>& faults);
/// The same with the JSON of each fault.
int report(const Session& session, const std::vector<Fault>& faults, const Json& documents);

}  // namespace kinescope::cli
