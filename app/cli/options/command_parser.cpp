#include "app/cli/options/command_parser.h"

#include "app/cli/options/option_parts.h"
#include "app/cli/options/usage_error.h"
#include "core/api/version.h"

namespace kinescope::cli {

CommandParser::CommandParser()
    : app_(
          "Kinescope generates video on your own computer, monitors the computation for numerical errors, and repairs "
          "them.") {
    app_.name("kinescope-cli");
    app_.require_subcommand(0, 1);
    app_.fallthrough();
    app_.footer(
        "Exit codes: 0 success, 1 failed while running, 2 invalid request or file (no step was made),\n"
        "3 cancelled with Ctrl+C, 4 numeric failure, 5 stopped by SIGTERM, SIGHUP or SIGUSR1.\n"
        "After 5, and after a failure with at least one finished step, the job is saved; kinescope-cli resume\n"
        "continues it.");
    app_.set_version_flag("--version", std::string("kinescope-cli ") + kVersion);
    add_global_flags();
}

void CommandParser::add_global_flags() {
    app_.add_flag("--json", global_.json, "Print results as one JSON document");
    app_.add_flag("--quiet,-q", global_.quiet, "Print errors only, no progress or other messages");
    app_.add_option("--log-level", global_.log_level, "debug, info, warning, error or off (default: info)")
        ->type_name("LEVEL");
    app_.add_option("--log-file", global_.log_file, "In addition, write messages of all levels to this file")
        ->type_name("FILE");
    app_.add_option("--resources", global_.resources, "Folder with the built-in model and presets")->type_name("DIR");
}

CLI::App& CommandParser::add(const char* name, const char* help) {
    CLI::App* added = app_.add_subcommand(name, help);
    added->fallthrough();
    added->footer("--json, --quiet, --log-level and --log-file are also accepted; see kinescope-cli --help.");
    return *added;
}

void CommandParser::set_action(CLI::App& command, Action action) {
    command.callback([this, action = std::move(action)] { action_ = action; });
}

void CommandParser::parse(int argc, const char* const* argv) {
    typed_.assign(argv, argv + argc);
    app_.parse(argc, argv);
}

bool CommandParser::is_typed(const std::string& option) const {
    return is_among(typed_, option);
}

int CommandParser::run(const Session& session) const {
    if (!action_)
        throw Error(ErrorCode::bad_usage, "No command given", "Run kinescope-cli --help for a list of commands.");
    return action_(session);
}

int CommandParser::print_help(const CLI::ParseError& request, std::ostream& out, std::ostream& err) {
    for (CLI::App* command : app_.get_subcommands({}))
        for (CLI::Option* option : command->get_options())
            if (option->get_group() == kHiddenGroup) option->group("");
    return app_.exit(request, out, err);
}

Error CommandParser::usage_error(const CLI::ParseError& problem) const {
    return describe_usage_error(app_, typed_, problem);
}

}  // namespace kinescope::cli
