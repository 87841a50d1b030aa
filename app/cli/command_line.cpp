#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <new>
#include <ostream>
#include <string_view>
#include <system_error>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/suggest.h"
#include "app/cli/terminal.h"
#include "app/engine_log.h"
#include "app/resources_dir.h"
#include "core/api/missing_home.h"
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

const std::map<std::string, ClusterAction> kClusterActions = {
    {"status", ClusterAction::status},    {"wait", ClusterAction::wait}, {"cancel", ClusterAction::cancel},
    {"resume", ClusterAction::resume},    {"list", ClusterAction::list}, {"remove", ClusterAction::remove},
    {"run-task", ClusterAction::run_task}};

const std::map<std::string, GpuSupportAction> kGpuSupportActions = {
    {"status", GpuSupportAction::status}, {"install", GpuSupportAction::install}, {"remove", GpuSupportAction::remove}};

constexpr int kMostCases = 1'000'000;  ///< folders of one call of `verify`

/// Returns what is wrong with a tolerance or a time. NaN and infinity would let any two files agree, or none, and a
/// range does not exclude NaN.
std::string finite_fault(const std::string& text) {
    double value = 0;
    if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value) || value < 0)
        return "'" + text + "' is not a number of 0 or more";
    return {};
}

/// Removes the zeros at the start of a whole number, by which CLI11 would take it as octal. Returns what is wrong with
/// the text.
std::string make_decimal(std::string& text) {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) return "'" + text + "' is not a whole number";
    text = std::to_string(value);
    return {};
}

/// For options that count: reads them in base 10, as a request does, before other checks.
CLI::Validator decimal() {
    return CLI::Validator(make_decimal, "");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// The definitions of all commands and options, and the parsed arguments. Not movable, because CLI11 keeps references.
class CommandLine {
public:
    CommandLine() {
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
        add_request_commands();
        add_other_commands();
    }
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    void parse(int argc, const char* const* argv) {
        typed_.assign(argv, argv + argc);
        note_aliases();
        app_.parse(argc, argv);
    }
    int print_help(const CLI::ParseError& request, std::ostream& out, std::ostream& err) const {
        return app_.exit(request, out, err);
    }
    /// Returns "Did you mean --width? " for an unknown flag or command, or an empty string if nothing is similar.
    std::string suggestion() const {
        const auto words = app_.remaining(/*recurse=*/true);
        if (words.empty()) return {};
        const auto known = app_.get_subcommands().empty() ? command_names() : flag_names();
        for (const std::string& word : words) {
            const std::string like = most_like(word.substr(0, word.find('=')), known);
            if (!like.empty()) return "Did you mean " + like + "? ";
        }
        return prompt_suggestion(words);
    }
    /// Describes a parse error. Unknown arguments are listed in the order in which they were typed.
    std::string complaint(const CLI::ParseError& problem) const {
        const auto words = app_.remaining(/*recurse=*/true);
        if (words.empty()) return with_typed_names(problem.what());
        std::string text = "Unknown arguments:";
        for (const std::string& word : words) text += " " + word;
        return text;
    }
    const GlobalArguments& global() const { return global_; }
    int run(const Session& session) const {
        if (!command_)
            throw Error(ErrorCode::bad_usage, "No command given", "Run kinescope-cli --help for a list of commands.");
        return command_(session);
    }

private:
    using Command = std::function<int(const Session&)>;

    bool is_typed(const std::string& name) const {
        return std::ranges::any_of(
            typed_, [&name](const std::string& word) { return word == name || word.starts_with(name + "="); });
    }

    /// Remembers the options with two names whose second name was typed, because CLI11 does not tell.
    void note_aliases() {
        if (is_typed("--steps"))
            for (RequestArguments* arguments : {&generate_.request, &plan_, &bench_.request})
                arguments->aliases["num_inference_steps"] = "--steps";
        if (is_typed("--factor")) finish_.aliases["interpolation_factor"] = "--factor";
        if (is_typed("--fps")) finish_.aliases["interpolation_fps"] = "--fps";
    }

    /// CLI11 names every option by its first name, which may not be the one that was typed.
    std::string with_typed_names(std::string text) const {
        for (const CLI::App* command : app_.get_subcommands())
            for (const CLI::Option* option : command->get_options())
                for (const std::string& name : option->get_lnames())
                    if (is_typed("--" + name)) text = replaced(text, "--" + option->get_lnames().front(), "--" + name);
        return text;
    }

    /// Returns how to give a prompt, if the command takes one and the unknown arguments are all words.
    std::string prompt_suggestion(const std::vector<std::string>& words) const {
        const auto commands = app_.get_subcommands();
        const bool are_words =
            std::ranges::none_of(words, [](const std::string& word) { return word.starts_with('-'); });
        if (!are_words || commands.empty() || !commands.front()->get_option_no_throw("--prompt")) return {};
        if (commands.front()->count("--prompt") > 0) return {};
        return "A prompt follows --prompt, in quotation marks. ";
    }

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

    /// With --quiet, only the events that a program reads are shown.
    ProgressKind unless_quiet(ProgressKind progress) const {
        return global_.quiet && progress != ProgressKind::json ? ProgressKind::none : progress;
    }

    /// Throws Error(bad_usage) if one of the options was given. `place`: where it has no effect.
    void refuse_options(const char* command, const std::vector<std::string>& options, const std::string& place) const {
        const CLI::App* parsed = app_.get_subcommand(command);
        for (const std::string& option : options)
            if (parsed->count(option) > 0)
                throw Error(ErrorCode::bad_usage, option + " has no effect " + place, "Leave it out.");
    }

    void refuse_options_of_other_actions() const {
        const std::string place = "on cluster " + cluster_action_;
        if (cluster_action_ != "cancel") refuse_options("cluster", {"--video"}, place);
        if (cluster_action_ != "remove") refuse_options("cluster", {"--discard"}, place);
        if (cluster_action_ != "resume")
            refuse_options("cluster", {"--program", "--mem", "--time", "--partition", "--account", "--gres", "--cpus"},
                           place);
        if (cluster_action_ == "list") refuse_options("cluster", {"batch"}, place);
    }

    CLI::App* add(const char* name, const char* help, Command command) {
        CLI::App* added = app_.add_subcommand(name, help);
        added->fallthrough();
        added->footer("--json, --quiet, --log-level and --log-file are also accepted; see kinescope-cli --help.");
        added->callback([this, command = std::move(command)] { command_ = command; });
        return added;
    }

    void add_global_flags() {
        app_.add_flag("--json", global_.json, "Print results as one JSON document");
        app_.add_flag("--quiet,-q", global_.quiet, "Print errors only, no progress or other messages");
        app_.add_option("--log-level", global_.log_level, "debug, info, warning, error or off (default: info)")
            ->type_name("LEVEL");
        app_.add_option("--log-file", global_.log_file, "In addition, write messages of all levels to this file")
            ->type_name("FILE");
        app_.add_option("--resources", global_.resources, "Folder with the built-in model and presets")
            ->type_name("DIR");
    }

    void add_request_commands() {
        CLI::App* made = add("generate", "Generate a video", [this](const Session& session) {
            generate_.progress = unless_quiet(generate_.progress);
            GenerateArguments arguments = generate_;
            if (*made_slurm_) arguments.cluster = submit_;
            return generate(session, arguments);
        });
        add_request_flags(*made, generate_.request);
        made->add_option("--batch", generate_.batch,
                         "Generate several videos from a file with one JSON request per line; -: standard input")
            ->type_name("FILE.jsonl");
        made->add_option("--seeds", generate_.num_seeds,
                         "Generate this number of videos with consecutive seeds; alternatives in the prompt, as in "
                         "\"a {red|blue} car\", make one video each")
            ->transform(decimal())
            ->check(CLI::Range(1, 1000))
            ->type_name("N");
        made->add_option("--jobs", generate_.jobs_dir, "Folder of the saved queue (default: the user's queue)")
            ->type_name("DIR");
        add_progress(*made, generate_.progress);
        made_slurm_ = add_slurm(*made, submit_, "Generate on a Slurm cluster, one task per video; see cluster --help");
        made->add_flag_callback(
                "--wait", [this] { submit_.then = AfterSubmission::wait; }, "Wait until all videos are done")
            ->needs(made_slurm_);
        add_resume();
        add_request_flags(*add("plan", "Show what generate would do, without loading weights",
                               [this](const Session& session) { return plan(session, plan_); }),
                          plan_);
        CLI::App* timed = add("bench", "Measure the speed of each part of a run",
                              [this](const Session& session) { return bench(session, bench_); });
        add_request_flags(*timed, bench_.request, FileFlags::left_out);
        timed->add_option("--repeats", bench_.repeats, "Number of repetitions (default: 5)")
            ->transform(decimal())
            ->type_name("N");
    }

    /// Adds --slurm and the options that need it. Returns --slurm.
    static CLI::Option* add_slurm(CLI::App& command, SubmitArguments& submit, const std::string& purpose) {
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

    void add_cluster() {
        CLI::App* added =
            add("cluster", "Follow, cancel or continue batches on a Slurm cluster", [this](const Session& session) {
                ClusterArguments arguments = cluster_;
                arguments.action = kClusterActions.at(cluster_action_);
                refuse_options_of_other_actions();
                arguments.progress = unless_quiet(arguments.progress);
                return cluster_command(session, arguments);
            });
        added
            ->add_option("action", cluster_action_,
                         "status: show the state of each video (default)\n"
                         "wait: follow the batch and import its videos\n"
                         "cancel: end the batch, or the videos that --video names\n"
                         "resume: submit failed, stopped and cancelled videos again\n"
                         "list: show all batches\n"
                         "remove: delete a batch that is over\n"
                         "run-task: run a video; called on the nodes")
            ->check(CLI::IsMember({"status", "wait", "cancel", "resume", "list", "remove", "run-task"}))
            ->type_name("ACTION");
        added->add_option("batch", cluster_.batch, "Id or folder of a batch (default: the newest one)")
            ->type_name("BATCH");
        make_repeatable(
            added->add_option("--video", cluster_.tasks, "Cancel only this video of the batch; can be repeated")
                ->transform(decimal())
                ->type_name("N"));
        added->add_option("--poll", cluster_.poll_seconds, "Ask Slurm this often (default: 5)")
            ->check(finite_fault)
            ->check(CLI::Range(0.1, 3600.0))
            ->type_name("SECONDS");
        SubmitArguments& changed = cluster_.changed;
        added->add_option("--program", changed.options.program, "For resume: another kinescope-cli on the nodes")
            ->type_name("FILE");
        added->add_option("--mem", changed.memory, "For resume: another main memory of each task")->type_name("SIZE");
        added->add_option("--time", changed.options.time_limit, "For resume: another time limit of each task")
            ->type_name("TIME");
        added->add_option("--partition", changed.options.partition, "For resume: another partition")->type_name("NAME");
        added->add_option("--account", changed.options.account, "For resume: another account to charge")
            ->type_name("NAME");
        added->add_option("--gres", changed.options.gres, "For resume: other resources of each task")->type_name("RES");
        added
            ->add_option("--cpus", changed.options.cpus,
                         "For resume: another number of CPUs of each task; a video that continues keeps its threads")
            ->transform(decimal())
            ->check(CLI::Range(1, 1024))
            ->type_name("N");
        added->add_flag_callback(
            "--discard", [this] { cluster_.unfinished = UnfinishedVideos::discard; },
            "For remove: also delete videos that resume could continue");
        added->add_option("--submission", cluster_.submission, "For run-task")->transform(decimal())->group("");
        added->add_option("--index", cluster_.index, "For run-task")->transform(decimal())->group("");
        add_progress(*added, cluster_.progress);
    }

    static void add_progress(CLI::App& command, ProgressKind& progress) {
        command
            .add_option_function<std::string>(
                "--progress",
                [&progress](const std::string& word) {
                    const auto kind = kProgressKinds.find(word);
                    if (kind == kProgressKinds.end())
                        throw CLI::ValidationError("--progress", "'" + word + "' is not one of auto, bar, json, none");
                    progress = kind->second;
                },
                "auto, bar, json (JSON Lines on stdout) or none (default: auto)")
            ->type_name("KIND");
    }

    void add_resume() {
        CLI::App* added =
            add("resume", "Continue an unfinished job after its last saved step", [this](const Session& session) {
                resume_.progress = unless_quiet(resume_.progress);
                return resume(session, resume_);
            });
        added
            ->add_option("job", resume_.job,
                         "Job number, or the folder of a job; may be omitted if there is only one job")
            ->type_name("JOB");
        added->add_option("--jobs", resume_.jobs_dir, "Folder of the saved queue (default: the user's queue)")
            ->type_name("DIR");
        const auto add_choice = [&](const char* name, ResumeChoice choice, const char* help) {
            return added->add_flag_callback(
                name, [this, choice] { resume_.choice = choice; }, help);
        };
        add_choice("--last", ResumeChoice::last, "Resume the newest job")
            ->excludes(add_choice("--all", ResumeChoice::all, "Resume all jobs, oldest first"));
        const auto add_action = [&](const char* name, ResumeAction action, const char* help) {
            return added->add_flag_callback(
                name, [this, action] { resume_.action = action; }, help);
        };
        CLI::Option* decodes = add_action("--decode-now", ResumeAction::decode_now,
                                          "Decode the last finished step and skip the remaining steps");
        CLI::Option* restarts = add_action("--start-over", ResumeAction::start_over,
                                           "Start from the first step and delete the finished steps");
        CLI::Option* discards = add_action("--discard", ResumeAction::discard, "Delete the job and its finished steps");
        CLI::Option* skips =
            add_action("--skip-finish", ResumeAction::skip_finish,
                       "Continue, but leave out the finish steps: upscaling, interpolation and sound of a file");
        decodes->excludes(restarts)->excludes(discards)->excludes(skips);
        restarts->excludes(discards)->excludes(skips);
        discards->excludes(skips);
        add_progress(*added, resume_.progress);
    }

    void add_other_commands() {
        add_inspect();
        add_verify();
        add_doctor();
        add_gpu_support();
        CLI::App* compared = add("compare", "Find the first difference between two numeric logs or two videos",
                                 [this](const Session& session) { return compare(session, compare_); });
        compared->add_option("a", compare_.a, "A numeric log (.jsonl), a video or a folder of PNG frames")
            ->required()
            ->type_name("A");
        compared->add_option("b", compare_.b, "Another log, video or folder")->required()->type_name("B");
        compared
            ->add_option("--tolerance", compare_.tolerance,
                         "Relative tolerance of the statistics of numeric logs (default: 0.001)")
            ->check(finite_fault)
            ->type_name("X");
        compared->add_option("--psnr", compare_.psnr_db, "Minimum PSNR of a frame of videos in dB (default: 40)")
            ->check(finite_fault)
            ->type_name("DB");
        add_export();
        add_finish();
        add_serve();
        add_cluster();
        add("devices", "List compute devices", [](const Session& session) { return list_devices(session); });
        add("models", "List the models in the model folders, KINESCOPE_MODELS, and ComfyUI's extra_model_paths.yaml",
            [](const Session& session) { return list_models(session); });
        CLI::App* presets = add("presets", "List presets with their settings and drawbacks",
                                [this](const Session& session) { return list_presets(session, presets_); });
        presets->add_option("--model", presets_.model, "Model for which to list presets (default: builtin)")
            ->type_name("builtin|DIR|FILE");
        presets
            ->add_option("--device", presets_.device,
                         "Compute device (default: auto), or a description of one, such as sm89:24GiB")
            ->type_name("auto|cpu|cuda|cuda:N|mps");
    }

    void add_export() {
        CLI::App* added = add("export", "Write a copy of a video in another format",
                              [this](const Session& session) { return export_clip(session, export_); });
        added->add_option("clip", export_.video, "A video, a GIF or a folder of PNG frames")
            ->required()
            ->type_name("CLIP");
        added
            ->add_option("output", export_.output.file,
                         "File whose extension selects the format (.mp4, .mkv, .mov, .webm, .gif), or a folder for PNG "
                         "frames")
            ->required()
            ->type_name("OUT");
        added->add_option("--codec", export_.output.codec, "FFmpeg encoder, e.g. prores_ks")->type_name("NAME");
        added->add_option("--crf", export_.output.crf, "Quality, 0 (best) to 51 (H.264, H.265) or 63")
            ->transform(decimal())
            ->check(CLI::Range(0, 63))
            ->type_name("N");
        added->add_flag_callback(
            "--overwrite", [this] { export_.output.overwrite = OverwriteMode::overwrite; },
            "Replace existing output files");
        added->add_flag_callback(
            "--without-settings", [this] { export_.output.settings = SettingsInFile::left_out; },
            "Omit the settings that the metadata of the video contains");
    }

    void add_finish() {
        CLI::App* added = add("finish", "Enlarge and interpolate the frames of a video, or give it other sound",
                              [this](const Session& session) {
                                  finish_.progress = unless_quiet(finish_.progress);
                                  return finish(session, finish_);
                              });
        FinishRequest& request = finish_.request;
        added->add_option("clip", request.video, "A video, a GIF or a folder of PNG frames")
            ->required()
            ->type_name("CLIP");
        add_finish_steps(*added, request.steps);
        added
            ->add_option("--output,-o", request.output.file,
                         "Output: .mp4, .mkv, .webm, .mov or .gif file, a .png file for a single frame, or a folder "
                         "for PNG frames")
            ->required()
            ->type_name("FILE");
        add_encoding(*added, request.output);
        added->add_option("--device", request.device, "Compute device (default: auto)")
            ->type_name("auto|cpu|cuda|cuda:N|mps");
        added->add_option("--threads", request.threads, "Number of CPU threads (default: physical cores)")
            ->transform(decimal())
            ->type_name("N");
        added
            ->add_option(
                "--tile", request.tile,
                "Side of the tiles that are enlarged, 64 to 2048 px (default: 256); smaller tiles need less memory")
            ->transform(decimal())
            ->check(CLI::Range(64, 2048))
            ->needs(added->get_option("--upscale"))
            ->type_name("PX");
        add_progress(*added, finish_.progress);
    }

    static void add_finish_steps(CLI::App& command, FinishSteps& steps) {
        command
            .add_option("--upscale", steps.upscaler,
                        "Upscaler: ESRGAN, Real-ESRGAN or SRVGGNetCompact (.pth or .safetensors)")
            ->type_name("FILE");
        command
            .add_option("--upscale-factor", steps.upscale_factor,
                        "Enlargement factor, 1 to 8 (default: the upscaler's)")
            ->transform(decimal())
            ->type_name("N");
        command
            .add_option("--interpolate", steps.interpolator,
                        "Interpolator: RIFE 4.7 to 4.26 (.pth, .pkl or .safetensors)")
            ->type_name("FILE");
        CLI::Option* factor = command
                                  .add_option("--interpolation-factor,--factor", steps.interpolation_factor,
                                              "How many times the frame rate of the source, 2 to 16 (default: 2)")
                                  ->transform(decimal())
                                  ->type_name("N");
        command.add_option("--interpolation-fps,--fps", steps.interpolation_fps, "Frame rate of the result, 1 to 240")
            ->excludes(factor)
            ->transform(decimal())
            ->type_name("N");
        command.add_option("--audio", steps.audio.file, "Replace the sound with that of this file")->type_name("FILE");
        command.add_option("--audio-start", steps.audio.start, "Leave out this much at the start of the audio")
            ->type_name("SECONDS");
        command.add_option("--audio-fade-in", steps.audio.fade_in, "Fade the audio in")->type_name("SECONDS");
        command.add_option("--audio-fade-out", steps.audio.fade_out, "Fade the audio out before its end")
            ->type_name("SECONDS");
        command.add_flag_callback(
            "--audio-loop", [&steps] { steps.audio.length = AudioLength::loop; },
            "Repeat audio that is shorter than the video");
    }

    static void add_encoding(CLI::App& command, OutputRequest& output) {
        command.add_option("--codec", output.codec, "FFmpeg encoder, e.g. libx264")->type_name("NAME");
        command.add_option("--crf", output.crf, "Quality, 0 (best) to 51 (H.264, H.265) or 63")
            ->transform(decimal())
            ->type_name("N");
        command.add_flag_callback(
            "--overwrite", [&output] { output.overwrite = OverwriteMode::overwrite; }, "Replace existing output files");
        command.add_flag_callback(
            "--without-settings", [&output] { output.settings = SettingsInFile::left_out; },
            "Leave out the metadata of the source");
    }

    void add_serve() {
        CLI::App* added =
            add("serve", "Serve another program over standard input and output", [this](const Session& session) {
                ServeArguments arguments = serve_;
                if (*served_slurm_) arguments.cluster = served_cluster_;
                const bool is_kept =
                    arguments.action == ServeAction::keep || arguments.action == ServeAction::keep_here;
                if (!is_kept) refuse_options("serve", {"--folder", "--idle"}, "without --keep");
                return serve(session, arguments);
            });
        served_slurm_ = add_slurm(*added, served_cluster_, "Jobs run on a Slurm cluster, not on this computer");
        added->add_option("--jobs", serve_.jobs_dir, "Folder of the saved queue (default: the user's queue)")
            ->type_name("DIR");
        added->add_flag_callback(
            "--by-order", [this] { serve_.job_start = JobStart::by_order; },
            "Jobs start when the program says so, which divides them among engines with the same queue");
        added->add_option("--device", serve_.device, "Device on which jobs for 'auto' run, e.g. cuda:1")
            ->type_name("DEVICE");
        added->add_flag_callback(
            "--keep", [this] { serve_.action = ServeAction::keep; },
            "The engine goes on when the connection ends; the next call connects to it again");
        added->add_option("--folder", serve_.folder, "With --keep: folder of the engine's queue and files")
            ->type_name("DIR");
        added
            ->add_option("--idle", serve_.idle_seconds,
                         "With --keep: the engine ends after this time without a program and a running job")
            ->type_name("SECONDS")
            ->check(finite_fault)
            ->check(CLI::Range(1.0, 1e9));
        added
            ->add_option_function<std::string>("--keep-here",
                                               [this](const std::string& folder) {
                                                   serve_.action = ServeAction::keep_here;
                                                   serve_.folder = folder;
                                               })
            ->group("");  // for --keep, which starts the engine with it
        added->add_flag_callback(
            "--schema", [this] { serve_.action = ServeAction::print_schema; },
            "Print the messages and values of the protocol, as Markdown");
    }

    void add_inspect() {
        CLI::App* added = add("inspect", "Describe a model file or folder, or show the settings of a video",
                              [this](const Session& session) { return inspect(session, inspect_); });
        added->add_option("path", inspect_.path, "Model folder or file, video, or folder of PNG frames")
            ->required()
            ->type_name("PATH");
        added->add_flag_callback(
            "--weights", [this] { inspect_.depth = InspectDepth::values; },
            "Read every weight file in full: verify its SHA-256 and find invalid values (NaN, infinity)");
    }

    void add_doctor() {
        CLI::App* added = add("doctor", "Check devices and libraries for problems, including wrong results",
                              [this](const Session& session) { return doctor(session, doctor_); });
        added->add_flag_callback(
            "--fresh", [this] { doctor_.canary = CanaryMode::fresh; },
            "Test every device again instead of using cached results");
        added->add_flag_callback(
            "--forget-overrides", [this] { doctor_.overrides = OverrideAction::forget; },
            "Delete all precision overrides that the guard learned in earlier runs");
    }

    void add_gpu_support() {
        CLI::App* added =
            add("gpu-support", "Install or remove the support files for NVIDIA graphics cards",
                [this](const Session& session) {
                    GpuSupportArguments arguments = gpu_support_;
                    arguments.action = kGpuSupportActions.at(gpu_action_);
                    if (arguments.action != GpuSupportAction::install)
                        refuse_options("gpu-support", {"--index", "--without-driver"}, "on gpu-support " + gpu_action_);
                    if (global_.quiet) arguments.progress = ProgressKind::none;
                    return gpu_support(session, arguments);
                });
        added->add_option("action", gpu_action_, "install, remove or status (default: status)")
            ->check(CLI::IsMember({"install", "remove", "status"}))
            ->type_name("ACTION");
        added->add_option("--index", gpu_support_.index, "Python package index to download from")->type_name("URL");
        added->add_flag_callback(
            "--without-driver", [this] { gpu_support_.driver = DriverCheck::skipped; },
            "Install even if no usable NVIDIA driver is found");
    }

    void add_verify() {
        CLI::App* added = add("verify", "Replay golden cases and compare them with the reference",
                              [this](const Session& session) { return verify(session, verify_); });
        // The large minimum lets CLI11 take any number of folders without allow_extra_args(), with which a folder named
        // "[a,b]" would be two. Fewer folders are allowed, because TakeAll does not check the minimum.
        added->add_option("case_dirs", verify_.case_dirs, "Folders with request.json and expected.safetensors")
            ->required()
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->expected(kMostCases, CLI::detail::expected_max_vector_size)
            ->allow_extra_args(false)
            ->type_name("CASE_DIR");
        added->add_option("--device", verify_.options.device, "Compute device (default: cpu)")
            ->type_name("auto|cpu|cuda|cuda:N|mps");
        added->add_option("--dtype", verify_.options.dtype, "Compute dtype of every component (default: fp32)")
            ->check(CLI::IsMember({"fp32", "bf16", "fp16"}))
            ->type_name("fp32|bf16|fp16");
    }

    CLI::App app_{
        "Kinescope generates video on your own computer, monitors the computation for numerical errors, and repairs "
        "them."};
    std::vector<std::string> typed_;  ///< the words of the command line
    GlobalArguments global_;
    GenerateArguments generate_;
    ResumeArguments resume_;
    RequestArguments plan_;
    PresetsArguments presets_;
    BenchArguments bench_;
    DoctorArguments doctor_;
    GpuSupportArguments gpu_support_;
    std::string gpu_action_ = "status";
    CompareArguments compare_;
    ExportRequest export_;
    FinishArguments finish_;
    ServeArguments serve_;
    SubmitArguments served_cluster_;
    CLI::Option* made_slurm_ = nullptr;
    CLI::Option* served_slurm_ = nullptr;
    SubmitArguments submit_;
    ClusterArguments cluster_;
    std::string cluster_action_ = "status";
    InspectArguments inspect_;
    VerifyArguments verify_;
    Command command_;
};

void prepare(Session& session, const GlobalArguments& global) {
    session.format = global.json ? OutputFormat::json : OutputFormat::human;
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

int run_guarded(Session& session, CommandLine& line) {
    try {
        prepare(session, line.global());
        return line.run(session);
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
    CommandLine line;
    try {
        line.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == 0) return line.print_help(problem, session.out, session.err);
        session.format = wanted_format(argc, argv);
        return report(session, Error(ErrorCode::bad_usage, line.complaint(problem),
                                     line.suggestion() + "Run kinescope-cli COMMAND --help for a list of arguments."));
    }
    return run_guarded(session, line);
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
