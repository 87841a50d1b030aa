#pragma once

#include <functional>
#include <iosfwd>
#include <memory>

#include "app/cli/json_values.h"
#include "core/api/engine.h"

namespace kinescope::cli {

/// Creates the engine; tests use another one.
using EngineFactory = std::function<std::unique_ptr<Engine>(EngineOptions options, RunObserver& observer)>;

enum class OutputFormat { human, json };

/// What every command needs: streams for results and messages, and an engine.
struct Session {
    std::ostream& out;  ///< results only
    std::ostream& err;  ///< messages
    /// For the program's own control sequences, which the other two streams would remove.
    std::ostream& terminal;
    OutputFormat format = OutputFormat::human;
    EngineOptions engine_options;
    EngineFactory make_engine;
};

/// For commands that start no job. Events are ignored.
std::unique_ptr<Engine> make_quiet_engine(const Session& session);

/// For commands that start no job but need events.
std::unique_ptr<Engine> make_engine_without_queue(const Session& session, RunObserver& observer);

/// For commands that start jobs, which are saved on disk.
std::unique_ptr<Engine> make_keeping_engine(const Session& session, RunObserver& observer);

/// Prints an error to stderr: "error[code]: ..." for each line of the message, then the hint.
void print_error(const Session& session, const Error& error);

/// Prints a JSON document in one line to stdout if the session's format is JSON.
void print_json(const Session& session, const Json& json);

/// print_error, and {"error": ...} as JSON. Returns the exit code.
int report(const Session& session, const Error& error);

/// The same for the faults of a request; returns 2.
int report(const Session& session, const std::vector<Fault>& faults);

}  // namespace kinescope::cli
