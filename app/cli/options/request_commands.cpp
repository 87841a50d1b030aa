// Options of the commands that take a request: generate, plan and bench.
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/options/command_options.h"
#include "app/cli/options/command_parser.h"
#include "app/cli/options/option_parts.h"
#include "app/cli/options/request_options.h"

namespace kinescope::cli {
namespace {

RequestArguments with_aliases(RequestArguments arguments, const CommandParser& parser) {
    if (parser.is_typed("--steps")) arguments.aliases["num_inference_steps"] = "--steps";
    return arguments;
}

}  // namespace

void add_generate(CommandParser& parser) {
    CLI::App& command = parser.add("generate", "Generate a video");
    const auto arguments = std::make_shared<GenerateArguments>();
    const auto submit = std::make_shared<SubmitArguments>();
    add_request_options(command, arguments->request);
    command
        .add_option("--batch", arguments->batch,
                    "Generate several videos from a file with one JSON request per line; -: standard input")
        ->type_name("FILE.jsonl");
    command
        .add_option("--seeds", arguments->num_seeds,
                    "Generate this number of videos with consecutive seeds; alternatives in the prompt, as in "
                    "\"a {red|blue} car\", make one video each")
        ->transform(decimal())
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    add_jobs_dir(command, arguments->jobs_dir);
    add_progress(command, arguments->progress);
    CLI::Option* slurm =
        add_slurm(command, *submit, "Generate on a Slurm cluster, one task per video; see cluster --help");
    command
        .add_flag_callback(
            "--wait", [submit] { submit->then = AfterSubmission::wait; }, "Wait until all videos are done")
        ->needs(slurm);
    parser.set_action(command, [&parser, arguments, submit, slurm](const Session& session) {
        GenerateArguments given = *arguments;
        given.request = with_aliases(std::move(given.request), parser);
        given.progress = unless_quiet(given.progress, session);
        if (*slurm) given.cluster = *submit;
        return generate(session, given);
    });
}

void add_plan(CommandParser& parser) {
    CLI::App& command = parser.add("plan", "Show what generate would do, without loading weights");
    const auto arguments = std::make_shared<RequestArguments>();
    add_request_options(command, *arguments);
    parser.set_action(command, [&parser, arguments](const Session& session) {
        return plan(session, with_aliases(*arguments, parser));
    });
}

void add_bench(CommandParser& parser) {
    CLI::App& command = parser.add("bench", "Measure the speed of each part of a run");
    const auto arguments = std::make_shared<BenchArguments>();
    add_request_options(command, arguments->request, FileFlags::left_out);
    command.add_option("--repeats", arguments->repeats, "Number of repetitions (default: 5)")
        ->transform(decimal())
        ->type_name("N");
    parser.set_action(command, [&parser, arguments](const Session& session) {
        return bench(session, {with_aliases(arguments->request, parser), arguments->repeats});
    });
}

}  // namespace kinescope::cli
