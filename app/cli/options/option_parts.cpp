#include "app/cli/options/option_parts.h"

#include <charconv>
#include <cmath>
#include <map>
#include <system_error>

namespace kinescope::cli {
namespace {

const std::map<std::string, ProgressKind> kProgressKinds = {{"auto", ProgressKind::automatic},
                                                            {"bar", ProgressKind::bar},
                                                            {"json", ProgressKind::json},
                                                            {"none", ProgressKind::none}};

/// Removes the zeros at the start of a whole number. Returns what is wrong with the text.
std::string make_decimal(std::string& text) {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) return "'" + text + "' is not a whole number";
    text = std::to_string(value);
    return {};
}

}  // namespace

CLI::Validator decimal() {
    return CLI::Validator(make_decimal, "");
}

std::string finite_fault(const std::string& text) {
    double value = 0;
    if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value) || value < 0)
        return "'" + text + "' is not a number of 0 or more";
    return {};
}

CLI::Option* make_repeatable(CLI::Option* option) {
    return option->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_progress(CLI::App& command, ProgressKind& progress) {
    const auto take = [&progress](const std::string& word) {
        const auto kind = kProgressKinds.find(word);
        if (kind == kProgressKinds.end())
            throw CLI::ValidationError("--progress", "'" + word + "' is not one of auto, bar, json, none");
        progress = kind->second;
    };
    command
        .add_option_function<std::string>("--progress", take,
                                          "auto, bar, json (JSON Lines on stdout) or none (default: auto)")
        ->type_name("KIND");
}

void add_jobs_dir(CLI::App& command, std::filesystem::path& jobs_dir) {
    command.add_option("--jobs", jobs_dir, "Folder of the saved queue (default: the user's queue)")->type_name("DIR");
}

CLI::Option* add_slurm(CLI::App& command, SubmitArguments& submit, const std::string& purpose) {
    CLI::Option* slurm = command.add_flag("--slurm", purpose);
    cluster::SlurmOptions& options = submit.options;
    const auto add_one = [&](const char* name, auto& value, const char* type, const char* help) {
        return command.add_option(name, value, help)->type_name(type)->needs(slurm);
    };
    add_one("--shared-dir", submit.shared_dir, "DIR",
            "Folder that all nodes see under the same path (default: $KINESCOPE_SHARED_DIR)");
    add_one("--partition", options.partition, "NAME", "Partition (default: the cluster's)");
    add_one("--gres", options.gres, "RES", "Resources of each task, e.g. gpu:1");
    add_one("--time", options.time_limit, "TIME", "Time limit of each task: minutes, H:MM:SS or D-H");
    add_one("--mem", submit.memory, "SIZE", "Main memory of each task (default: from the memory plan)");
    add_one("--cpus", options.cpus, "N", "CPUs and threads of each task")
        ->transform(decimal())
        ->check(CLI::Range(1, 1024));
    add_one("--account", options.account, "NAME", "Account to charge");
    add_one("--max-running", options.max_running, "N", "Run at most N tasks at the same time")
        ->transform(decimal())
        ->check(CLI::Range(1, 1'000'000));
    make_repeatable(add_one("--sbatch", options.more, "OPTION",
                            "Further option of sbatch, e.g. --sbatch=--constraint=a100; can be repeated"));
    add_one("--program", options.program, "FILE", "kinescope-cli as the nodes see it (default: this program)");
    add_one("--poll", submit.poll_seconds, "SECONDS", "Ask Slurm this often (default: 5)")
        ->check(finite_fault)
        ->check(CLI::Range(0.1, 3600.0));
    return slurm;
}

ProgressKind unless_quiet(ProgressKind progress, const Session& session) {
    return session.verbosity == Verbosity::quiet && progress != ProgressKind::json ? ProgressKind::none : progress;
}

void refuse_options(const CLI::App& command, const std::vector<std::string>& options, const std::string& place) {
    for (const std::string& option : options)
        if (command.count(option) > 0)
            throw Error(ErrorCode::bad_usage, option + " has no effect " + place, "Leave it out.");
}

}  // namespace kinescope::cli
