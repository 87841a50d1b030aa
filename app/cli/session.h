#pragma once

#include <functional>
#include <iosfwd>
#include <memory>

#include "app/cli/json_values.h"
#include "core/api/engine.h"

namespace kinescope::cli {

/// Makes the engine that the commands drive: the real one in the program, another in tests.
using EngineFactory = std::function<std::unique_ptr<Engine>(EngineOptions options, RunObserver& observer)>;

enum class OutputFormat { human, json };

/// What every command is given: where results and messages go, and how to get an engine.
struct Session {
    std::ostream& out;  ///< results only
    std::ostream& err;  ///< messages
    /// Where messages end up, for control sequences of the program itself: both others let no sequence through.
    std::ostream& terminal;
    OutputFormat format = OutputFormat::human;
    EngineOptions engine_options;
    EngineFactory make_engine;
};

/// For commands that start no job.
std::unique_ptr<Engine> make_quiet_engine(const Session& session);

/// For commands that start jobs: they are kept on disk until they are over.
std::unique_ptr<Engine> make_keeping_engine(const Session& session, RunObserver& observer);

/// What went wrong on stderr: one "error[code]: ..." for each line of the message, and the hint after them.
void print_error(const Session& session, const Error& error);

/// A JSON document on stdout, in one line, where the session's format is JSON; else nothing.
void print_json(const Session& session, const Json& json);

/// print_error, and {"error": ...} as JSON. Returns the exit code.
int report(const Session& session, const Error& error);

/// The same for the faults of a request; returns 2.
int report(const Session& session, const std::vector<Fault>& faults);

}  // namespace kinescope::cli
