#include <map>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/options/command_options.h"
#include "app/cli/options/command_parser.h"
#include "app/cli/options/option_parts.h"

namespace kinescope::cli {
namespace {

const std::map<std::string, ClusterAction> kClusterActions = {
    {"status", ClusterAction::status},    {"wait", ClusterAction::wait}, {"cancel", ClusterAction::cancel},
    {"resume", ClusterAction::resume},    {"list", ClusterAction::list}, {"remove", ClusterAction::remove},
    {"run-task", ClusterAction::run_task}};

struct ClusterWords {
    std::string action = "status";
    ClusterArguments arguments;
};

void add_action_and_batch(CLI::App& command, ClusterWords& words) {
    command
        .add_option("action", words.action,
                    "status: show the state of each video (default)\n"
                    "wait: follow the batch and import its videos\n"
                    "cancel: end the batch, or the videos that --video names\n"
                    "resume: submit failed, stopped and cancelled videos again\n"
                    "list: show all batches\n"
                    "remove: delete a batch that is over\n"
                    "run-task: run a video; called on the nodes")
        ->check(CLI::IsMember({"status", "wait", "cancel", "resume", "list", "remove", "run-task"}))
        ->type_name("ACTION");
    command.add_option("batch", words.arguments.batch, "Id or folder of a batch (default: the newest one)")
        ->type_name("BATCH");
    make_repeatable(
        command.add_option("--video", words.arguments.tasks, "Cancel only this video of the batch; can be repeated")
            ->transform(decimal())
            ->type_name("N"));
    command.add_option("--poll", words.arguments.poll_seconds, "Ask Slurm this often (default: 5)")
        ->check(finite_fault)
        ->check(CLI::Range(0.1, 3600.0))
        ->type_name("SECONDS");
}

/// Adds the options for resume, which replace what the batch was submitted with.
void add_changes(CLI::App& command, SubmitArguments& changed) {
    command.add_option("--program", changed.options.program, "For resume: another kinescope-cli on the nodes")
        ->type_name("FILE");
    command.add_option("--mem", changed.memory, "For resume: another main memory of each task")->type_name("SIZE");
    command.add_option("--time", changed.options.time_limit, "For resume: another time limit of each task")
        ->type_name("TIME");
    command.add_option("--partition", changed.options.partition, "For resume: another partition")->type_name("NAME");
    command.add_option("--account", changed.options.account, "For resume: another account to charge")
        ->type_name("NAME");
    command.add_option("--gres", changed.options.gres, "For resume: other resources of each task")->type_name("RES");
    command
        .add_option("--cpus", changed.options.cpus,
                    "For resume: another number of CPUs of each task; a video that continues keeps its threads")
        ->transform(decimal())
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
}

void refuse_options_of_other_actions(const CLI::App& command, const std::string& action) {
    const std::string place = "on cluster " + action;
    if (action != "cancel") refuse_options(command, {"--video"}, place);
    if (action != "remove") refuse_options(command, {"--discard"}, place);
    if (action != "resume")
        refuse_options(command, {"--program", "--mem", "--time", "--partition", "--account", "--gres", "--cpus"},
                       place);
    if (action == "list") refuse_options(command, {"batch"}, place);
}

}  // namespace

void add_cluster(CommandParser& parser) {
    CLI::App& command = parser.add("cluster", "Follow, cancel or continue batches on a Slurm cluster");
    const auto words = std::make_shared<ClusterWords>();
    add_action_and_batch(command, *words);
    add_changes(command, words->arguments.changed);
    command.add_flag_callback(
        "--discard", [words] { words->arguments.unfinished = UnfinishedVideos::discard; },
        "For remove: also delete videos that resume could continue");
    command.add_option("--submission", words->arguments.submission, "For run-task")
        ->transform(decimal())
        ->group(kHiddenGroup);
    command.add_option("--index", words->arguments.index, "For run-task")->transform(decimal())->group(kHiddenGroup);
    add_progress(command, words->arguments.progress);
    parser.set_action(command, [words, &command](const Session& session) {
        refuse_options_of_other_actions(command, words->action);
        ClusterArguments given = words->arguments;
        given.action = kClusterActions.at(words->action);
        given.progress = unless_quiet(given.progress, session);
        return cluster_command(session, given);
    });
}

}  // namespace kinescope::cli
