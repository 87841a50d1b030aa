#include "app/cli/command_line.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <ostream>
#include <string_view>

#include "app/cli/exit_code.h"
#include "app/cli/options/command_options.h"
#include "app/cli/options/command_parser.h"
#include "app/cli/terminal.h"
#include "app/engine_log.h"
#include "app/resources_dir.h"
#include "core/api/missing_home.h"
#include "core/base/logging.h"

namespace kinescope::cli {
namespace {

/// Adds the commands in the order of --help.
void add_commands(CommandParser& parser) {
    add_generate(parser);
    add_resume(parser);
    add_plan(parser);
    add_bench(parser);
    add_inspect(parser);
    add_verify(parser);
    add_doctor(parser);
    add_gpu_support(parser);
    add_compare(parser);
    add_export(parser);
    add_finish(parser);
    add_serve(parser);
    add_cluster(parser);
    add_devices(parser);
    add_models(parser);
    add_presets(parser);
}

void prepare(Session& session, const GlobalArguments& global) {
    session.format = global.json ? OutputFormat::json : OutputFormat::human;
    session.verbosity = global.quiet ? Verbosity::quiet : Verbosity::normal;
    const LogLevel wanted = parse_log_level(global.log_level);
    if (global.quiet) ::setenv("SVT_LOG", "1", /*overwrite=*/0);  // the encoder SVT-AV1 prints only errors
    const LoggingOptions logging{.level = global.quiet ? LogLevel::error : wanted, .file = global.log_file};
    start_logging(logging);
    if (const std::string warning = missing_home_warning(); !warning.empty()) spdlog::warn("{}", warning);
    session.send_log = [logging](RunObserver* observer) {
        observer == nullptr ? start_logging(logging) : log_to(*observer, logging);
    };
    session.engine_options.resources_dir = find_resources_dir(global.resources, program_dir());
    session.engine_options.program = program_file();
}

int run_guarded(Session& session, const CommandParser& parser) {
    try {
        prepare(session, parser.global());
        return parser.run(session);
    } catch (const Error& error) {
        return report(session, error);
    } catch (const std::bad_alloc&) {
        return report(session, Error(ErrorCode::out_of_memory, "the computer is out of memory",
                                     "Close other programs, or raise this program's memory limit."));
    } catch (const std::exception& error) {
        return report(session,
                      Error(ErrorCode::internal, error.what(), "This is a bug in Kinescope; please report it."));
    }
}

/// Returns the output format that the arguments request, even if they are otherwise invalid.
OutputFormat wanted_format(int argc, const char* const* argv) {
    const bool json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
    return json ? OutputFormat::json : OutputFormat::human;
}

int parse_and_run(Session& session, int argc, const char* const* argv) {
    CommandParser parser;
    add_commands(parser);
    try {
        parser.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == 0) return parser.print_help(problem, session.out, session.err);
        session.format = wanted_format(argc, argv);
        return report(session, parser.usage_error(problem));
    }
    return run_guarded(session, parser);
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const EngineFactory& make_engine, std::ostream& results,
                     std::ostream& messages) {
    PrintableStream out(results);
    PrintableStream err(messages);
    Session session{out, err, messages, OutputFormat::human, {}, make_engine, {}};
    const int exit_code = parse_and_run(session, argc, argv);
    if (out.flush()) return exit_code;
    print_error(session, Error(ErrorCode::disk_full, "the results cannot be written to standard output",
                               "Check the redirection: the disk may be full, or the reading program may have ended."));
    return exit_code == kDone ? kFailed : exit_code;
}

}  // namespace kinescope::cli
