#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <new>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/suggest.h"
#include "app/cli/terminal.h"
#include "app/resources_dir.h"
#include "core/api/version.h"
#include "core/base/logging.h"

namespace kinescope::cli {
namespace {

struct GlobalArguments {
    bool json = false;
    bool quiet = false;
    std::string log_level = "info";
    std::filesystem::path log_file;
    std::filesystem::path resources;
};

const std::map<std::string, ProgressKind> kProgressKinds = {{"auto", ProgressKind::automatic},
                                                            {"bar", ProgressKind::bar},
                                                            {"json", ProgressKind::json},
                                                            {"none", ProgressKind::none}};

/// The grammar and what was read by it. Not movable: CLI11 keeps references into it.
class CommandLine {
public:
    CommandLine() {
        app_.name("kinescope-cli");
        app_.require_subcommand(0, 1);
        app_.fallthrough();
        app_.footer(
            "Exit codes: 0 done, 1 failed while running, 2 bad request (nothing was started), 3 cancelled by Ctrl+C,\n"
            "4 the numbers failed, 5 stopped by SIGTERM or SIGHUP. After 5, and after a failure with a finished\n"
            "step, the job is kept: kinescope-cli resume continues it.");
        app_.set_version_flag("--version", std::string("kinescope-cli ") + kVersion);
        add_global_flags();
        add_request_commands();
        add_other_commands();
    }
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    void parse(int argc, const char* const* argv) { app_.parse(argc, argv); }
    int print_help(const CLI::ParseError& request, std::ostream& out, std::ostream& err) const {
        return app_.exit(request, out, err);
    }
    /// "Did you mean --width?" for a flag or command that is none; empty: nothing is like it.
    std::string suggestion() const {
        const auto words = app_.remaining(/*recurse=*/true);
        if (words.empty()) return {};
        const auto known = app_.get_subcommands().empty() ? command_names() : flag_names();
        for (const std::string& word : words) {
            const std::string like = most_like(word.substr(0, word.find('=')), known);
            if (!like.empty()) return "Did you mean " + like + "? ";
        }
        return {};
    }
    /// What was wrong with the command line, what nobody knows in the order in which it was typed.
    std::string complaint(const CLI::ParseError& problem) const {
        const auto words = app_.remaining(/*recurse=*/true);
        if (words.empty()) return problem.what();
        std::string text = "Not known:";
        for (const std::string& word : words) text += " " + word;
        return text;
    }
    const GlobalArguments& global() const { return global_; }
    int run(const Session& session) const {
        if (!command_) throw Error(ErrorCode::bad_usage, "No command is given", "kinescope-cli --help lists them.");
        return command_(session);
    }

private:
    using Command = std::function<int(const Session&)>;

    std::vector<std::string> command_names() const {
        std::vector<std::string> names;
        for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
        return names;
    }
    std::vector<std::string> flag_names() const {
        std::vector<std::string> names;
        for (const CLI::App* command : app_.get_subcommands())
            for (const CLI::Option* option : command->get_options())
                for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        return names;
    }

    CLI::App* add(const char* name, const char* help, Command command) {
        CLI::App* added = app_.add_subcommand(name, help);
        added->fallthrough();
        added->footer("--json, --quiet, --log-level and --log-file may stand here too; see kinescope-cli --help.");
        added->callback([this, command = std::move(command)] { command_ = command; });
        return added;
    }

    void add_global_flags() {
        app_.add_flag("--json", global_.json, "Results as one JSON document");
        app_.add_flag("--quiet,-q", global_.quiet, "No progress, and no messages but errors");
        app_.add_option("--log-level", global_.log_level, "debug, info, warning, error or off (info)")
            ->type_name("LEVEL");
        app_.add_option("--log-file", global_.log_file, "Messages go to this file too, whatever the level")
            ->type_name("FILE");
        app_.add_option("--resources", global_.resources, "Folder of the built-in model and presets")->type_name("DIR");
    }

    void add_request_commands() {
        CLI::App* made = add("generate", "Make one video from a request", [this](const Session& session) {
            if (global_.quiet && generate_.progress == ProgressKind::automatic) generate_.progress = ProgressKind::none;
            return generate(session, generate_);
        });
        add_request_flags(*made, generate_.request);
        made->add_option("--batch", generate_.batch, "Requests as JSON Lines, made one after the other")
            ->type_name("FILE.jsonl");
        add_progress(*made, generate_.progress);
        add_resume();
        add_request_flags(*add("plan", "Say what generate would do, without loading weights",
                               [this](const Session& session) { return plan(session, plan_); }),
                          plan_);
        CLI::App* timed = add("bench", "Time the parts of a request",
                              [this](const Session& session) { return bench(session, bench_); });
        add_request_flags(*timed, bench_.request);
        timed->add_option("--repeats", bench_.repeats, "How often each part is timed (5)")->type_name("N");
    }

    static void add_progress(CLI::App& command, ProgressKind& progress) {
        command
            .add_option_function<std::string>(
                "--progress",
                [&progress](const std::string& word) {
                    const auto kind = kProgressKinds.find(word);
                    if (kind == kProgressKinds.end())
                        throw CLI::ValidationError("--progress", "'" + word + "' is none of auto, bar, json and none");
                    progress = kind->second;
                },
                "auto, bar, json (JSON Lines on stdout) or none (auto)")
            ->type_name("KIND");
    }

    void add_resume() {
        CLI::App* added =
            add("resume", "Go on with a job that did not end, from its last good step", [this](const Session& session) {
                if (global_.quiet && resume_.progress == ProgressKind::automatic) resume_.progress = ProgressKind::none;
                return resume(session, resume_);
            });
        added->add_option("job", resume_.job, "Its number; not needed where there is only one")->type_name("JOB");
        const auto add_choice = [&](const char* name, ResumeChoice choice, const char* help) {
            return added->add_flag_callback(
                name, [this, choice] { resume_.choice = choice; }, help);
        };
        add_choice("--last", ResumeChoice::last, "The newest of them")
            ->excludes(add_choice("--all", ResumeChoice::all, "Each of them, the oldest first"));
        const auto add_action = [&](const char* name, ResumeAction action, const char* help) {
            return added->add_flag_callback(
                name, [this, action] { resume_.action = action; }, help);
        };
        CLI::Option* decodes = add_action("--decode-now", ResumeAction::decode_now,
                                          "Make the video of the last finished step, without the steps after it");
        CLI::Option* restarts =
            add_action("--start-over", ResumeAction::start_over, "From the first step; the finished steps are deleted");
        CLI::Option* discards = add_action("--discard", ResumeAction::discard, "Delete the job and its finished steps");
        decodes->excludes(restarts)->excludes(discards);
        restarts->excludes(discards);
        add_progress(*added, resume_.progress);
    }

    void add_other_commands() {
        add_inspect();
        add_verify();
        add_doctor();
        CLI::App* compared = add("compare", "Say where two runs part: two numeric logs, or two videos",
                                 [this](const Session& session) { return compare(session, compare_); });
        compared->add_option("a", compare_.a, "A numeric log (.jsonl), a video or a folder of PNG frames")
            ->required()
            ->type_name("A");
        compared->add_option("b", compare_.b, "Another one of the same kind")->required()->type_name("B");
        compared->add_option("--tolerance", compare_.tolerance.relative, "Of a statistic, relative (0.001)");
        compared->add_option("--psnr", compare_.tolerance.psnr_db, "Least PSNR of a frame, dB (40)");
        add("devices", "List the devices that can compute",
            [](const Session& session) { return list_devices(session); });
        add("models", "List the models", [](const Session& session) { return list_models(session); });
        CLI::App* presets = add("presets", "List the presets, what they set and what that costs",
                                [this](const Session& session) { return list_presets(session, presets_); });
        presets->add_option("--model", presets_.model, "The model that they are for (builtin)")
            ->type_name("builtin|DIR|FILE");
        presets
            ->add_option("--device", presets_.device, "Where to compute (auto); also one that is not here, sm89:24GiB")
            ->type_name("auto|cpu|cuda|cuda:N|mps");
    }

    void add_inspect() {
        CLI::App* added = add("inspect", "Say what a model's file or folder is, or which settings a video holds",
                              [this](const Session& session) { return inspect(session, inspect_); });
        added->add_option("path", inspect_.path, "A model's folder or file, a video, or a folder of PNG frames")
            ->required()
            ->type_name("PATH");
        added->add_flag_callback(
            "--weights", [this] { inspect_.depth = InspectDepth::numbers; },
            "Read the weights from end to end: SHA-256, and numbers that are none");
    }

    void add_doctor() {
        CLI::App* added = add("doctor", "Examine the devices, the libraries and what they do with numbers",
                              [this](const Session& session) { return doctor(session, doctor_); });
        added->add_flag_callback(
            "--fresh", [this] { doctor_.canary = CanaryMode::fresh; },
            "Try every device again, whatever was found before");
        added->add_flag_callback(
            "--forget-overrides", [this] { doctor_.overrides = OverrideAction::forget; },
            "Delete what the guard has learned in earlier runs");
    }

    void add_verify() {
        CLI::App* added = add("verify", "Replay golden cases against the reference",
                              [this](const Session& session) { return verify(session, verify_); });
        added->add_option("case_dirs", verify_.case_dirs, "Folders with request.json and expected.safetensors")
            ->required()
            ->type_name("CASE_DIR");
        added->add_option("--device", verify_.options.device, "Where to compute (cpu)")
            ->type_name("auto|cpu|cuda|cuda:N|mps");
        added->add_option("--dtype", verify_.options.dtype, "What every component computes in (fp32)")
            ->type_name("fp32|bf16|fp16");
    }

    CLI::App app_{"Kinescope makes videos on your own computer, and shows and protects the numbers while it does so."};
    GlobalArguments global_;
    GenerateArguments generate_;
    ResumeArguments resume_;
    RequestArguments plan_;
    PresetsArguments presets_;
    BenchArguments bench_;
    DoctorArguments doctor_;
    CompareArguments compare_;
    InspectArguments inspect_;
    VerifyArguments verify_;
    Command command_;
};

void prepare(Session& session, const GlobalArguments& global) {
    session.format = global.json ? OutputFormat::json : OutputFormat::human;
    const LogLevel wanted = parse_log_level(global.log_level);
    start_logging({.level = global.quiet ? LogLevel::error : wanted, .file = global.log_file, .listener = {}});
    session.engine_options.resources_dir = find_resources_dir(global.resources, program_dir());
    session.engine_options.program = program_file();
}

int run_guarded(Session& session, CommandLine& line) {
    try {
        prepare(session, line.global());
        return line.run(session);
    } catch (const Error& error) {
        return report(session, error);
    } catch (const std::bad_alloc&) {
        return report(session, Error(ErrorCode::out_of_memory, "the computer's memory is full",
                                     "Close other programs, or raise the limit of memory that this one may use."));
    } catch (const std::exception& error) {
        return report(session,
                      Error(ErrorCode::internal, error.what(), "This is a fault of the program; please report it."));
    }
}

/// For a command line that could not be read: whether it asks for JSON anyway.
OutputFormat wanted_format(int argc, const char* const* argv) {
    const bool json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
    return json ? OutputFormat::json : OutputFormat::human;
}

}  // namespace

namespace {

int parse_and_run(Session& session, int argc, const char* const* argv) {
    CommandLine line;
    try {
        line.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == 0) return line.print_help(problem, session.out, session.err);
        session.format = wanted_format(argc, argv);
        return report(session, Error(ErrorCode::bad_usage, line.complaint(problem),
                                     line.suggestion() + "kinescope-cli COMMAND --help lists what may be given."));
    }
    return run_guarded(session, line);
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const EngineFactory& make_engine, std::ostream& results,
                     std::ostream& messages) {
    PrintableStream out(results);
    PrintableStream err(messages);
    Session session{out, err, messages, OutputFormat::human, {}, make_engine};
    const int exit_code = parse_and_run(session, argc, argv);
    if (out.flush()) return exit_code;
    print_error(session, Error(ErrorCode::disk_full, "the results could not be written to standard output",
                               "Check where it is redirected to: the disk may be full, or its reader gone."));
    return exit_code == kDone ? kFailed : exit_code;
}

}  // namespace kinescope::cli
