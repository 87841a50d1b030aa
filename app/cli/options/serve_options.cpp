#include <memory>

#include "app/cli/commands.h"
#include "app/cli/options/command_options.h"
#include "app/cli/options/command_parser.h"
#include "app/cli/options/option_parts.h"

namespace kinescope::cli {
namespace {

void add_queue_options(CLI::App& command, const std::shared_ptr<ServeArguments>& arguments) {
    add_jobs_dir(command, arguments->jobs_dir);
    command.add_flag_callback(
        "--by-order", [arguments] { arguments->job_start = JobStart::by_order; },
        "Jobs start when the program says so, which divides them among engines with the same queue");
    command.add_option("--device", arguments->device, "Device on which jobs for 'auto' run, e.g. cuda:1")
        ->type_name("DEVICE");
}

void add_kept_engine_options(CLI::App& command, const std::shared_ptr<ServeArguments>& arguments) {
    command.add_flag_callback(
        "--keep", [arguments] { arguments->action = ServeAction::keep; },
        "The engine goes on when the connection ends; the next call connects to it again");
    command.add_option("--folder", arguments->folder, "With --keep: folder of the engine's queue and files")
        ->type_name("DIR");
    command
        .add_option("--idle", arguments->idle_seconds,
                    "With --keep: the engine ends after this time without a program and a running job")
        ->type_name("SECONDS")
        ->check(finite_fault)
        ->check(CLI::Range(1.0, 1e9));
    const auto keep_here = [arguments](const std::string& folder) {
        arguments->action = ServeAction::keep_here;
        arguments->folder = folder;
    };
    command.add_option_function<std::string>("--keep-here", keep_here)->group(kHiddenGroup);
}

bool keeps_engine(ServeAction action) {
    return action == ServeAction::keep || action == ServeAction::keep_here;
}

}  // namespace

void add_serve(CommandParser& parser) {
    CLI::App& command = parser.add("serve", "Serve another program over standard input and output");
    const auto arguments = std::make_shared<ServeArguments>();
    const auto submit = std::make_shared<SubmitArguments>();
    const CLI::Option* slurm = add_slurm(command, *submit, "Jobs run on a Slurm cluster, not on this computer");
    add_queue_options(command, arguments);
    add_kept_engine_options(command, arguments);
    command.add_flag_callback(
        "--schema", [arguments] { arguments->action = ServeAction::print_schema; },
        "Print the messages and values of the protocol, as Markdown");
    parser.set_action(command, [arguments, submit, slurm, &command](const Session& session) {
        if (!keeps_engine(arguments->action)) refuse_options(command, {"--folder", "--idle"}, "without --keep");
        ServeArguments given = *arguments;
        if (*slurm) given.cluster = *submit;
        return serve(session, given);
    });
}

}  // namespace kinescope::cli
