#include <memory>

#include "app/cli/commands.h"
#include "app/cli/options/command_options.h"
#include "app/cli/options/command_parser.h"
#include "app/cli/options/option_parts.h"

namespace kinescope::cli {
namespace {

void add_choices(CLI::App& command, const std::shared_ptr<ResumeArguments>& arguments) {
    const auto add = [&](const char* name, ResumeChoice choice, const char* help) {
        return command.add_flag_callback(
            name, [arguments, choice] { arguments->choice = choice; }, help);
    };
    add("--last", ResumeChoice::last, "Resume the newest job")
        ->excludes(add("--all", ResumeChoice::all, "Resume all jobs, oldest first"));
}

void add_actions(CLI::App& command, const std::shared_ptr<ResumeArguments>& arguments) {
    const auto add = [&](const char* name, ResumeAction action, const char* help) {
        return command.add_flag_callback(
            name, [arguments, action] { arguments->action = action; }, help);
    };
    CLI::Option* decodes =
        add("--decode-now", ResumeAction::decode_now, "Decode the last finished step and skip the remaining steps");
    CLI::Option* restarts =
        add("--start-over", ResumeAction::start_over, "Start from the first step and delete the finished steps");
    CLI::Option* discards = add("--discard", ResumeAction::discard, "Delete the job and its finished steps");
    CLI::Option* skips = add("--skip-finish", ResumeAction::skip_finish,
                             "Continue, but leave out the finish steps: upscaling, interpolation and sound of a file");
    decodes->excludes(restarts)->excludes(discards)->excludes(skips);
    restarts->excludes(discards)->excludes(skips);
    discards->excludes(skips);
}

}  // namespace

void add_resume(CommandParser& parser) {
    CLI::App& command = parser.add("resume", "Continue an unfinished job after its last saved step");
    const auto arguments = std::make_shared<ResumeArguments>();
    command
        .add_option("job", arguments->job,
                    "Job number, or the folder of a job; may be omitted if there is only one job")
        ->type_name("JOB");
    add_jobs_dir(command, arguments->jobs_dir);
    add_choices(command, arguments);
    add_actions(command, arguments);
    add_progress(command, arguments->progress);
    parser.set_action(command, [arguments](const Session& session) {
        ResumeArguments given = *arguments;
        given.progress = unless_quiet(given.progress, session);
        return resume(session, given);
    });
}

}  // namespace kinescope::cli
