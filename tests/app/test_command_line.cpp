#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/exit_code.h"
#include "app/cli/output_name.h"
#include "tests/app/stub_engine.h"

using namespace kinescope;
using namespace kinescope::testing;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

std::vector<RunEvent> finish_at_once(const VideoRequest& request) {
    RunResult result;
    result.output = request.output.file;
    result.status = "completed";
    result.num_frames = *request.num_frames;
    return {RunStarted{request, small_card(), {}}, RunFinished{result}};
}

StubScript working_script() {
    StubScript script;
    script.card = small_card();
    script.run = finish_at_once;
    return script;
}

void write(const QString& file, const std::string& text) {
    std::ofstream(file.toStdString(), std::ios::binary) << text;
}

}  // namespace

class TestCommandLine : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    std::string in_folder(const char* name) { return folder_.filePath(name).toStdString(); }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QVERIFY(QDir::setCurrent(folder_.path()));
    }

    void finish_takes_networks_and_sound() {
        StubScript script = working_script();
        auto result = run_commands(script, {"finish",
                                            "a.mp4",
                                            "--upscale",
                                            "2x.pth",
                                            "--interpolate",
                                            "r.pkl",
                                            "--factor",
                                            "4",
                                            "--audio",
                                            "t.wav",
                                            "--audio-start",
                                            "1.5",
                                            "--audio-fade-out",
                                            "2",
                                            "--audio-loop",
                                            "--tile",
                                            "128",
                                            "-o",
                                            "b.mp4",
                                            "--crf",
                                            "20"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(result.out, std::string("b.mp4\n"));
        const FinishRequest& request = script.made_finished.at(0);
        QCOMPARE(request.video, std::filesystem::path("a.mp4"));
        const AudioRequest audio{.file = "t.wav", .start = 1.5, .fade_out = 2, .length = AudioLength::loop};
        QVERIFY(
            (request.steps ==
             FinishSteps{.upscaler = "2x.pth", .interpolator = "r.pkl", .interpolation_factor = 4, .audio = audio}));
        QCOMPARE(*request.tile, 128);
        QCOMPARE(*request.output.crf, 20);
        result =
            run_commands(script, {"finish", "a.mp4", "--interpolate", "r.pkl", "--fps", "60", "-o", "b.mp4", "--json"});
        QCOMPARE(*script.made_finished.at(1).steps.interpolation_fps, 60);
        const auto document = nlohmann::json::parse(result.out);
        QCOMPARE(document.at("num_frames").get<int>(), 9);
        result = run_commands(
            script, {"finish", "a.mp4", "--interpolate", "r.pkl", "-o", "b.mp4", "--progress", "json", "--json"});
        QVERIFY2(result.out.find("\"num_frames\"") != std::string::npos, result.out.c_str());
        QCOMPARE(run_commands(script, {"finish", "a.mp4"}).exit_code, int(cli::kBadRequest));
        QCOMPARE(run_commands(script, {"finish", "a.mp4", "-o", "b.mp4", "--factor", "2", "--fps", "60"}).exit_code,
                 int(cli::kBadRequest));
    }

    void generate_takes_steps_after_the_run() {
        StubScript script = working_script();
        const auto result = run_commands(
            script, {"generate", "--prompt", "a", "--upscale", "2x.pth", "--interpolate", "r.pth",
                     "--interpolation-fps", "24", "--audio", "t.wav", "--audio-fade-in", "0.5", "-o", "x.mp4"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const FinishSteps& steps = script.submitted.at(0).finish;
        QCOMPARE(steps.upscaler, std::filesystem::path(in_folder("2x.pth")));
        QCOMPARE(*steps.interpolation_fps, 24);
        QCOMPARE(*steps.audio.fade_in, 0.5);
    }

    void export_writes_another_format() {
        StubScript script = working_script();
        auto result = run_commands(script, {"export", "a.mp4", "b.gif"});
        QCOMPARE(result.exit_code, int(cli::kDone));
        QCOMPARE(result.out, std::string("b.gif, 2.0 KiB\n"));
        QCOMPARE(script.exported.at(0).video, std::filesystem::path("a.mp4"));
        QCOMPARE(script.exported.at(0).output.overwrite, OverwriteMode::refuse);
        result = run_commands(script, {"export", "a.mp4", "b.mov", "--codec", "prores_ks", "--overwrite",
                                       "--without-settings", "--crf", "30", "--json"});
        QCOMPARE(result.out, std::string("{\"output\":\"b.mov\",\"bytes\":2048}\n"));
        const OutputRequest& output = script.exported.at(1).output;
        QCOMPARE(output.codec, std::string("prores_ks"));
        QCOMPARE(output.overwrite, OverwriteMode::overwrite);
        QCOMPARE(output.settings, SettingsInFile::left_out);
        QCOMPARE(*output.crf, 30);
        QCOMPARE(run_commands(script, {"export", "a.mp4"}).exit_code, int(cli::kBadRequest));
    }

    void every_flag_reaches_the_request() {
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate",
                                                  "--prompt",
                                                  "-a [b, c] d",
                                                  "--negative-prompt",
                                                  "",
                                                  "--width",
                                                  "128",
                                                  "--height",
                                                  "96",
                                                  "--num-frames",
                                                  "5",
                                                  "--fps",
                                                  "24",
                                                  "--steps",
                                                  "7",
                                                  "--guidance-scale",
                                                  "2.5",
                                                  "--flow-shift",
                                                  "5",
                                                  "--scheduler",
                                                  "FlowMatchEulerDiscreteScheduler",
                                                  "--seed",
                                                  "42",
                                                  "--max-sequence-length",
                                                  "48",
                                                  "--device",
                                                  "cpu",
                                                  "--dtype",
                                                  "fp32",
                                                  "--storage",
                                                  "fp32",
                                                  "--text-encoder-dtype",
                                                  "fp32",
                                                  "--vae-dtype",
                                                  "fp32",
                                                  "--allow-half-accumulation",
                                                  "--guard",
                                                  "observe",
                                                  "--offload",
                                                  "none",
                                                  "--threads",
                                                  "2",
                                                  "--reproducible",
                                                  "--output",
                                                  "x.webm",
                                                  "--codec",
                                                  "libvpx-vp9",
                                                  "--crf",
                                                  "30",
                                                  "--overwrite",
                                                  "--numeric-log",
                                                  "x.jsonl",
                                                  "--numeric-csv",
                                                  "x.csv",
                                                  "--latents",
                                                  "l.safetensors",
                                                  "--frames",
                                                  "f.safetensors",
                                                  "--preview-dir",
                                                  "p",
                                                  "--vae",
                                                  "v"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const VideoRequest request = script.submitted.at(0);
        QCOMPARE(request.prompt, std::string("-a [b, c] d"));
        QCOMPARE(*request.negative_prompt, std::string());
        QCOMPARE(*request.width, 128);
        QCOMPARE(*request.num_inference_steps, 7);
        QCOMPARE(*request.guidance_scale, 2.5);
        QCOMPARE(*request.seed, std::int64_t{42});
        QCOMPARE(request.half_accumulation, HalfAccumulation::allowed);
        QCOMPARE(request.guard, GuardMode::observe);
        QCOMPARE(request.offload, OffloadMode::none);
        QCOMPARE(*request.threads, 2);
        QCOMPARE(*request.reproducible, 0);
        QCOMPARE(request.output.file, std::filesystem::path("x.webm"));
        QCOMPARE(request.output.overwrite, OverwriteMode::overwrite);
        QCOMPARE(*request.output.crf, 30);
        QCOMPARE(request.output.preview_dir, std::filesystem::path("p"));
        QCOMPARE(request.components.at(0).second, std::filesystem::path(in_folder("v")));
        QCOMPARE(result.out, std::string("x.webm\n"));
    }

    void every_fault_is_listed_and_nothing_starts() {
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--width", "wide", "--height", "33", "--steps", "0",
                                                  "--prompt", "caf\xe9", "--guard", "no"});
        QCOMPARE(result.exit_code, 2);
        for (const char* part : {"error[bad_request]: width must be a whole number", "height must be a multiple of 16",
                                 "num_inference_steps must be 1 to 1000; it is 0", "prompt is not valid UTF-8",
                                 "guard must be off or observe or heal"})
            QVERIFY2(result.err.find(part) != std::string::npos, result.err.c_str());
        QVERIFY(script.submitted.empty());
        QVERIFY(result.out.empty());
    }

    void bad_usage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("part");
        QTest::newRow("no command") << QStringList{} << "No command given";
        QTest::newRow("unknown flag") << QStringList{"generate", "--color", "red"} << "--color";
        QTest::newRow("misspelt flag") << QStringList{"generate", "--widht", "96"} << "Did you mean --width?";
        QTest::newRow("unknown command") << QStringList{"paint"} << "paint";
        QTest::newRow("misspelt command") << QStringList{"genrate"} << "Did you mean generate?";
        QTest::newRow("unknown flag with a value")
            << QStringList{"generate", "--color", "red"} << "Unknown arguments: --color red";
        QTest::newRow("unknown kind of progress")
            << QStringList{"generate", "--progress", "foo"} << "not one of auto, bar, json";
        QTest::newRow("large seed") << QStringList{"generate", "--seed", "99999999999999999999"}
                                    << "a whole number up to 9223372036854775807";
        QTest::newRow("missing value") << QStringList{"generate", "--width"} << "--width";
        QTest::newRow("unknown log level") << QStringList{"devices", "--log-level", "loud"} << "loud";
        QTest::newRow("missing model") << QStringList{"generate", "--model", "nowhere", "--prompt", "a"}
                                       << "error[file_not_found]";
        QTest::newRow("missing request file") << QStringList{"plan", "--request", "nowhere.json"} << "nowhere.json";
        QTest::newRow("missing resources folder") << QStringList{"devices", "--resources", "nowhere"} << "nowhere";
        QTest::newRow("zero repeats") << QStringList{"bench", "--repeats", "0", "--prompt", "a"}
                                      << "repeats must be 1 to 1000";
    }

    void bad_usage() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, part);
        Words words;
        for (const QString& argument : arguments) words.push_back(argument.toStdString());
        StubScript script = working_script();
        const auto result = run_commands(script, words);
        QCOMPARE(result.exit_code, 2);
        QVERIFY2(result.err.find(part.toStdString()) != std::string::npos, result.err.c_str());
    }

    void the_manual_names_every_command_and_option_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << "en";
        QTest::newRow("Chinese") << "zh_CN";
    }
    void the_manual_names_every_command_and_option() {
        QFETCH(QString, language);
        QFile page(QStringLiteral(KINESCOPE_SOURCE_DIR "/resources/manual/%1/command-line.md").arg(language));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString manual = QString::fromUtf8(page.readAll());
        StubScript script;
        const auto help = [&script](std::vector<std::string> arguments) {
            arguments.push_back("--help");
            return QString::fromStdString(run_commands(script, arguments).out);
        };
        static const QRegularExpression command(QStringLiteral("^  ([a-z]+)  "), QRegularExpression::MultilineOption);
        static const QRegularExpression option(QStringLiteral("(?<![\\w-])--[a-z][a-z0-9-]+"));
        const auto names = [](const QRegularExpression& pattern, const QString& text) {
            QStringList found;
            for (auto it = pattern.globalMatch(text); it.hasNext();) {
                const auto match = it.next();
                found << match.captured(match.lastCapturedIndex());
            }
            return found;
        };
        const QStringList commands = names(command, help({}));
        QVERIFY(commands.size() >= 11);
        QStringList options = names(option, help({}));
        for (const QString& name : commands) {
            QVERIFY2(manual.contains(QStringLiteral("`%1").arg(name)), qPrintable(name));
            options += names(option, help({name.toStdString()}));
        }
        QVERIFY(options.size() > 60);
        for (const QString& name : options) QVERIFY2(manual.contains(name), qPrintable(name));
    }

    void help_and_version_are_no_failures() {
        StubScript script = working_script();
        const auto help = run_commands(script, {"generate", "--help"});
        QCOMPARE(help.exit_code, 0);
        QVERIFY(help.out.find("--num-inference-steps") != std::string::npos);
        const auto version = run_commands(script, {"--version"});
        QCOMPARE(version.exit_code, 0);
        QVERIFY(version.out.starts_with("kinescope-cli "));
    }

    void conditions_take_frame_and_strength() {
        StubScript script = working_script();
        script.card.takes_conditions = true;
        const auto result = run_commands(script, {"generate", "--prompt", "p", "--num-frames", "25", "--condition",
                                                  "a.png", "--condition", "b@2.png@16:0.5", "--condition", "c.png@24"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const auto& conditions = script.submitted.at(0).conditions;
        QCOMPARE(conditions.size(), std::size_t{3});
        QVERIFY((conditions[0] == FrameCondition{in_folder("a.png")}));
        QVERIFY((conditions[1] == FrameCondition{in_folder("b@2.png"), 16, 0.5}));
        QVERIFY((conditions[2] == FrameCondition{in_folder("c.png"), 24, 1.0}));
    }

    void control_inputs_are_read() {
        StubScript script = working_script();
        script.card.video_use = VideoUse::control;
        script.card.num_control_blocks = 2;
        const auto result = run_commands(
            script, {"generate", "--prompt", "p", "--video", "v.mp4", "--mask", "m.png", "--reference-image", "a.png",
                     "--reference-image", "b.png", "--conditioning-scale", "1,0.5"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const VideoRequest& request = script.submitted.at(0);
        QCOMPARE(request.video->string(), in_folder("v.mp4"));
        QCOMPARE(request.mask->string(), in_folder("m.png"));
        QCOMPARE(request.reference_images.size(), std::size_t{2});
        QCOMPARE(request.conditioning_scale, (std::vector<double>{1, 0.5}));
    }

    void each_next_prompt_continues_the_part_before_it() {
        StubScript script = working_script();
        script.card.continuation = Continuation::last_frame;
        const auto result = run_commands(script, {"generate", "--prompt", "one", "--next-prompt", "two",
                                                  "--next-prompt", "three", "--seed", "5", "-o", "long.mp4"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), std::size_t{3});
        QCOMPARE(script.submitted[0].output.file.string(), std::string("long-part1.mkv"));
        QCOMPARE(script.submitted[0].output.codec, std::string("ffv1"));
        QVERIFY(!script.submitted[0].continue_video);
        QCOMPARE(script.submitted[1].continue_video->string(), in_folder("long-part1.mkv"));
        QCOMPARE(script.submitted[2].continue_video->string(), in_folder("long-part2.mkv"));
        QCOMPARE(script.submitted[2].output.file.string(), std::string("long.mp4"));
        QCOMPARE(script.submitted[2].prompt, std::string("three"));
        QCOMPARE(*script.submitted[2].seed, std::int64_t{7});
    }

    void only_the_last_part_is_finished() {
        StubScript script = working_script();
        script.card.continuation = Continuation::last_frame;
        const auto result = run_commands(
            script, {"generate", "--prompt", "one", "--next-prompt", "two", "--upscale", "2x.pth", "-o", "frames/"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), std::size_t{2});
        QVERIFY(script.submitted[0].finish.is_empty());
        QCOMPARE(script.submitted[0].output.file.string(), std::string("frames-part1.mkv"));
        QCOMPARE(script.submitted[1].finish.upscaler.string(), in_folder("2x.pth"));
    }

    void a_failed_part_ends_the_chain() {
        StubScript script = working_script();
        script.card.continuation = Continuation::last_frame;
        const Error error(ErrorCode::disk_full, "no space left");
        script.run = [&](const VideoRequest& request) {
            return request.prompt == "two" ? std::vector<RunEvent>{RunFailed{error}} : finish_at_once(request);
        };
        const auto result = run_commands(
            script, {"generate", "--prompt", "one", "--next-prompt", "two", "--next-prompt", "three", "-o", "f.mp4"});
        QCOMPARE(result.exit_code, int(cli::kFailed));
        QCOMPARE(script.submitted.size(), std::size_t{2});
        QVERIFY2(result.err.find("1 more parts of the video were not started") != std::string::npos,
                 result.err.c_str());
    }

    void a_chain_replaces_no_part_without_permission() {
        StubScript script = working_script();
        script.card.continuation = Continuation::last_frame;
        write(folder_.filePath("kept-part2.mkv"), "an earlier part");
        Words words{"generate", "--prompt", "one", "--next-prompt", "two", "--next-prompt", "three", "-o", "kept.mp4"};
        const auto refused = run_commands(script, words);
        QVERIFY(refused.exit_code != 0);
        QVERIFY2(refused.err.find("kept-part2.mkv already exists") != std::string::npos, refused.err.c_str());
        QVERIFY(script.submitted.empty());
        words.push_back("--overwrite");
        QCOMPARE(run_commands(script, words).exit_code, 0);
        QCOMPARE(script.submitted.size(), std::size_t{3});
    }

    void the_seeds_of_a_chain_have_an_end() {
        StubScript script = working_script();
        script.card.continuation = Continuation::last_frame;
        const auto result = run_commands(
            script, {"generate", "--prompt", "one", "--next-prompt", "two", "--seed", "9223372036854775807"});
        QVERIFY(result.exit_code != 0);
        QVERIFY2(result.err.find("is too large") != std::string::npos, result.err.c_str());
        QVERIFY(script.submitted.empty());
    }

    void numbered_folders_need_no_slash() {
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--prompt", "p", "--seeds", "2", "-o", "shots/"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.at(1).output.file.string(), std::string("shots-2"));
    }

    void a_next_prompt_needs_a_model_that_continues() {
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--prompt", "one", "--next-prompt", "two"});
        QVERIFY(result.exit_code != 0);
        QVERIFY2(result.err.find("cannot continue a video") != std::string::npos, result.err.c_str());
        QVERIFY(script.submitted.empty());
    }

    void loras_keep_their_order() {
        StubScript script = working_script();
        const auto result = run_commands(
            script, {"generate", "--prompt", "p", "--lora", "b.safetensors:-0.5", "--lora", "c:d.safetensors"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const auto& loras = script.submitted.at(0).loras;
        QCOMPARE(loras.size(), std::size_t{2});
        QVERIFY((loras[0] == LoraRequest{in_folder("b.safetensors"), -0.5}));
        QVERIFY((loras[1] == LoraRequest{in_folder("c:d.safetensors"), 1.0}));
    }

    void flags_override_the_request_file() {
        QDir(folder_.path()).mkpath("cases");
        write(folder_.filePath("cases/a.json"),
              R"({"prompt": "from file", "width": 128, "seed": 3, "output": "a.mp4"})");
        StubScript script = working_script();
        const auto result =
            run_commands(script, {"generate", "--request", "cases/a.json", "--width", "64", "--seed", "random"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const VideoRequest& request = script.submitted.at(0);
        QCOMPARE(request.prompt, std::string("from file"));
        QCOMPARE(*request.width, 64);
        QVERIFY(request.seed && *request.seed >= 0);
        QCOMPARE(request.output.file, std::filesystem::path(in_folder("cases/a.mp4")));
    }

    void a_request_from_a_video_omits_its_file_names() {
        write(folder_.filePath("made.mp4"), "a video");
        StubScript script = working_script();
        script.settings.prompt = "A red ball";
        script.settings.seed = 9;
        script.settings.output.file = "made.mp4";
        script.settings.output.crf = 21;
        QCOMPARE(run_commands(script, {"generate", "--request", "made.mp4"}).exit_code, 0);
        QCOMPARE(script.submitted.at(0).output.file, std::filesystem::path("a-red-ball-9.mp4"));
        QCOMPARE(*script.submitted.at(0).output.crf, 21);
        QCOMPARE(*script.submitted.at(0).seed, std::int64_t{9});
    }

    void default_names_avoid_existing_files() {
        VideoRequest request;
        request.prompt = "A Red ball, über the sea: and one two three";
        request.seed = 5;
        const std::filesystem::path folder = folder_.path().toStdString();
        const auto first = cli::free_output_name(request, folder);
        QCOMPARE(first.filename(), std::filesystem::path("a-red-ball-ber-the-sea-5.mp4"));
        std::ofstream(first) << "here";
        QCOMPARE(cli::free_output_name(request, folder).filename(),
                 std::filesystem::path("a-red-ball-ber-the-sea-5-2.mp4"));
        request.prompt = "☂☂";
        QCOMPARE(cli::free_output_name(request, folder).filename(), std::filesystem::path("video-5.mp4"));
    }

    void seeds_and_alternatives_make_one_video_each() {
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--prompt", "a {red|blue} ball", "--seeds", "2", "--seed",
                                                  "7", "--output", "o.mp4", "--numeric-log", "l.jsonl", "--json"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), 4u);
        QCOMPARE(Json::parse(result.out).at("runs").size(), 4u);
        QCOMPARE(script.submitted[0].prompt, std::string("a red ball"));
        QCOMPARE(*script.submitted[1].seed, std::int64_t{8});
        QCOMPARE(script.submitted[3].prompt, std::string("a blue ball"));
        QCOMPARE(script.submitted[3].output.file, std::filesystem::path("o-4.mp4"));
        QCOMPARE(script.submitted[3].output.numeric_log, std::filesystem::path("l-4.jsonl"));
    }

    void a_plain_request_is_one_video() {
        StubScript script = working_script();
        const auto result =
            run_commands(script, {"generate", "--prompt", "a {red} ball", "--output", "o.mp4", "--json"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.at(0).prompt, std::string("a {red} ball"));
        QCOMPARE(script.submitted.at(0).output.file, std::filesystem::path("o.mp4"));
        QVERIFY(!Json::parse(result.out).contains("runs"));
    }

    void too_many_videos_are_refused() {
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--prompt", "{a|b}", "--seeds", "501"});
        QCOMPARE(result.exit_code, 2);
        QVERIFY2(result.err.find("2 prompts with 501 seeds") != std::string::npos, result.err.c_str());
        QVERIFY(script.submitted.empty());
    }

    void lists_of_blocks_and_methods_are_read() {
        StubScript script = working_script();
        const auto faulty = run_commands(script, {"generate", "--prompt", "a", "--skip-layer-guidance-layers", "9,x"});
        QCOMPARE(faulty.exit_code, 2);
        QVERIFY2(faulty.err.find("a list of up to 100 whole numbers") != std::string::npos, faulty.err.c_str());
        const auto unknown = run_commands(script, {"generate", "--prompt", "a", "--guidance-method", "magic"});
        QVERIFY2(unknown.err.find("standard or cfg_zero_star or apg") != std::string::npos, unknown.err.c_str());
        QCOMPARE(unknown.exit_code, 2);
    }

    void a_batch_runs_in_order() {
        write(folder_.filePath("list.jsonl"), "{\"prompt\": \"one\"}\n\n{\"prompt\": \"two\", \"seed\": 4}\n");
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--batch", "list.jsonl", "--seed", "7", "--json"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), 2u);
        QCOMPARE(script.submitted[1].prompt, std::string("two"));
        QCOMPARE(*script.submitted[1].seed, std::int64_t{7});
        QCOMPARE(Json::parse(result.out).at("runs").size(), 2u);
    }

    void a_bad_line_of_a_batch_does_not_stop_the_others() {
        write(folder_.filePath("bad.jsonl"),
              "{\"prompt\": \"one\"}\n{\"promt\": \"two\"}\n{nonsense\n{\"prompt\": \"four\"}\n");
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--batch", "bad.jsonl", "--json"});
        QCOMPARE(result.exit_code, 1);
        QCOMPARE(script.submitted.size(), 2u);
        QCOMPARE(script.submitted[1].prompt, std::string("four"));
        const Json runs = Json::parse(result.out).at("runs");
        QCOMPARE(runs.size(), 4u);
        QVERIFY(runs.at(2).at("status") == Json("refused"));
    }

    void a_batch_of_bad_lines_is_a_bad_request() {
        write(folder_.filePath("bad.jsonl"), "\n{\"promt\": \"two\"}\n{nonsense\n");
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--batch", "bad.jsonl"});
        QCOMPARE(result.exit_code, 2);
        for (const char* part :
             {"line 2: 'promt' is not a known key", "line 2: prompt is empty", "line 3: The request is not valid JSON"})
            QVERIFY2(result.err.find(part) != std::string::npos, result.err.c_str());
        QVERIFY(script.submitted.empty());
    }

    void a_batch_does_not_write_one_file_twice() {
        write(folder_.filePath("same.jsonl"), "{\"prompt\": \"one\"}\n{\"prompt\": \"two\"}\n");
        StubScript script = working_script();
        const auto result =
            run_commands(script, {"generate", "--batch", "same.jsonl", "--output", "o.mp4", "--overwrite"});
        QCOMPARE(result.exit_code, 1);
        QCOMPARE(script.submitted.size(), 1u);
        QVERIFY2(result.err.find("line 2: two requests") != std::string::npos, result.err.c_str());
    }

    void jobs_of_a_batch_get_different_names() {
        write(folder_.filePath("names.jsonl"), "{\"prompt\": \"one\"}\n{\"prompt\": \"one\"}\n");
        StubScript script = working_script();
        QCOMPARE(run_commands(script, {"generate", "--batch", "names.jsonl", "--seed", "7"}).exit_code, 0);
        QCOMPARE(script.submitted.at(0).output.file, std::filesystem::path("one-7.mp4"));
        QCOMPARE(script.submitted.at(1).output.file, std::filesystem::path("one-7-2.mp4"));
    }

    void resume_chooses_a_job_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("exit_code");
        QTest::addColumn<qint64>("chosen");
        QTest::addColumn<QString>("message");
        QTest::newRow("newest started job") << QStringList{"--last"} << 0 << qint64{4} << "";
        QTest::newRow("job by number") << QStringList{"2"} << 0 << qint64{2} << "";
        QTest::newRow("waiting job by number") << QStringList{"7"} << 0 << qint64{7} << "";
        QTest::newRow("several jobs") << QStringList{} << 2 << qint64{0} << "2 (paused, step 3 of 12), 4 (interrupted";
        QTest::newRow("finished job") << QStringList{"5"} << 2 << qint64{0} << "there is no job '5'";
        QTest::newRow("not a number") << QStringList{"all"} << 2 << qint64{0} << "there is no job 'all'";
    }
    void resume_chooses_a_job() {
        QFETCH(QStringList, words);
        QFETCH(int, exit_code);
        QFETCH(qint64, chosen);
        QFETCH(QString, message);
        StubScript script = working_script();
        for (const auto& [id, state] : {std::pair{2, JobState::paused},
                                        {4, JobState::interrupted},
                                        {5, JobState::finished},
                                        {7, JobState::waiting},
                                        {8, JobState::failed}}) {
            Job job;
            job.id = id;
            job.state = state;
            job.step = state == JobState::paused ? 3 : 0;
            job.num_steps = 12;
            script.jobs.push_back(job);
        }
        std::vector<std::string> arguments{"resume"};
        for (const QString& word : words) arguments.push_back(word.toStdString());
        const auto result = run_commands(script, arguments);
        QCOMPARE(result.exit_code, exit_code);
        QCOMPARE(script.proceeded, chosen == 0 ? std::vector<JobId>{} : std::vector<JobId>{chosen});
        QVERIFY2(result.err.find(message.toStdString()) != std::string::npos, result.err.c_str());
    }

    void without_a_job_resume_fails() {
        StubScript script = working_script();
        const auto result = run_commands(script, {"resume", "--last"});
        QCOMPARE(result.exit_code, 2);
        QVERIFY2(result.err.find("there is no job to resume") != std::string::npos, result.err.c_str());
    }

    void a_finished_job_is_reported_and_removed() {
        StubScript script = working_script();
        Job job;
        job.id = 3;
        job.state = JobState::finished;
        job.output = "clip.mp4";
        script.jobs = {job};
        const auto result = run_commands(script, {"resume", "--last"});
        QCOMPARE(result.exit_code, 0);
        QCOMPARE(result.out, std::string("clip.mp4\n"));
        QCOMPARE(script.removed, std::vector<JobId>{3});
        QVERIFY(script.proceeded.empty());
    }

    void a_limit_that_is_too_small_is_a_bad_request() {
        StubScript script = working_script();
        const Error error(ErrorCode::out_of_memory, "too small", "more", {{"needed", "2"}, {"program", "1"}});
        script.run = [&](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{error}}; };
        QCOMPARE(run_commands(script, {"generate", "--prompt", "a"}).exit_code, 2);
    }

    void no_escape_sequence_reaches_the_terminal() {
        StubScript script = working_script();
        const std::string name =
            "models/\x1b]0;owned\a\x1b[2J\xC2\x9B"
            "1m\xE2\x80\xAE";
        for (const Words& words : {Words{"plan", "--model", name, "--prompt", "x"}, Words{"inspect", name},
                                   Words{"plan", "--model", name, "--prompt", "x", "--json"},
                                   Words{"inspect", name, "--json"}, Words{name}, Words{"plan", "--" + name}}) {
            const auto result = run_commands(script, words);
            for (const std::string& text : {result.out, result.err})
                for (const char* sequence : {"\x1b", "\a", "\xC2\x9B", "\xE2\x80\xAE"})
                    QVERIFY2(text.find(sequence) == std::string::npos, text.c_str());
            QVERIFY(!(result.out + result.err).empty());
        }
        const Json document = Json::parse(run_commands(script, {"inspect", name, "--json"}).out);
        QCOMPARE(document.at("path").get<std::string>(), name);
    }

    void out_of_memory_has_its_own_error_code() {
        StubScript script = working_script();
        script.run = [](const VideoRequest&) -> std::vector<RunEvent> { throw std::bad_alloc(); };
        const auto result = run_commands(script, {"generate", "--prompt", "x", "--output", in_folder("full.mp4")});
        QCOMPARE(result.exit_code, 1);
        QVERIFY2(result.err.find("error[out_of_memory]") != std::string::npos, result.err.c_str());
    }

    void failures_have_their_exit_codes_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("exit_code");
        QTest::newRow("truncated") << int(ErrorCode::checkpoint_truncated) << 1;
        QTest::newRow("out of memory during a run") << int(ErrorCode::out_of_memory) << 1;
        QTest::newRow("disk full") << int(ErrorCode::disk_full) << 1;
        QTest::newRow("no device") << int(ErrorCode::device_unavailable) << 2;
        QTest::newRow("output exists") << int(ErrorCode::output_exists) << 2;
        QTest::newRow("cancelled") << int(ErrorCode::cancelled) << 3;
        QTest::newRow("NaN") << int(ErrorCode::not_finite) << 4;
        QTest::newRow("black") << int(ErrorCode::frames_black) << 4;
    }

    void failures_have_their_exit_codes() {
        QFETCH(int, code);
        QFETCH(int, exit_code);
        StubScript script = working_script();
        const Error error(static_cast<ErrorCode>(code), "what happened", "what to do");
        script.run = [&](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{error}}; };
        const auto result = run_commands(script, {"generate", "--prompt", "a", "--json"});
        QCOMPARE(result.exit_code, exit_code);
        QCOMPARE(result.err, "error[" + std::string(to_string(error.code())) + "]: what happened\nhint: what to do\n");
        QVERIFY(Json::parse(result.out).at("error").at("hint") == Json("what to do"));
    }

    void a_video_kept_under_another_name_is_a_failed_run_not_a_bad_request() {
        StubScript script = working_script();
        const Error error(ErrorCode::output_exists, "a.mp4 already exists", "", {{"kept", "a.mp4.part"}});
        script.run = [&](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{error}}; };
        QCOMPARE(run_commands(script, {"generate", "--prompt", "a"}).exit_code, 1);
    }

    void an_interrupt_cancels_the_job_and_the_batch() {
        write(folder_.filePath("long.jsonl"), "{\"prompt\": \"one\"}\n{\"prompt\": \"two\"}\n");
        StubScript script = working_script();
        script.run = [](const VideoRequest&) {
            std::raise(SIGINT);
            return std::vector<RunEvent>{};
        };
        const auto result = run_commands(script, {"generate", "--batch", "long.jsonl", "--quiet"});
        QCOMPARE(result.exit_code, 3);
        QCOMPARE(script.submitted.size(), 1u);
        QVERIFY2(result.err.find("cancelled after 2 steps") != std::string::npos, result.err.c_str());
    }

    /// A shutdown or a lost connection suspends the job and does not cancel it.
    void other_signals_suspend_the_job_and_keep_the_batch_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void other_signals_suspend_the_job_and_keep_the_batch() {
        QFETCH(int, signal);
        write(folder_.filePath("long.jsonl"), "{\"prompt\": \"one\"}\n{\"prompt\": \"two\"}\n");
        StubScript script = working_script();
        script.run = [signal](const VideoRequest& request) {
            if (request.prompt == "two") std::raise(signal);
            return std::vector<RunEvent>{};
        };
        const auto result = run_commands(script, {"generate", "--batch", "long.jsonl", "--quiet"});
        QCOMPARE(result.exit_code, 5);
        QCOMPARE(script.submitted.size(), 2u);
        QCOMPARE(script.suspended, std::vector<JobId>{1});
        QVERIFY(script.removed.empty());
        QVERIFY2(result.err.find("stopped after 2 steps; the job is saved") != std::string::npos, result.err.c_str());
        QVERIFY2(result.err.find("1 more jobs are waiting") != std::string::npos, result.err.c_str());
    }

    void a_failure_after_the_start_is_not_a_bad_request() {
        StubScript script = working_script();
        const Error error(ErrorCode::output_not_writable, "cannot write", "");
        script.run = [&](const VideoRequest& request) {
            return std::vector<RunEvent>{RunStarted{request, small_card(), {}}, RunFailed{error}};
        };
        QCOMPARE(run_commands(script, {"generate", "--prompt", "a"}).exit_code, 1);
        QCOMPARE(script.removed, std::vector<JobId>{1});
        script.run = [&](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{error}}; };
        QCOMPARE(run_commands(script, {"generate", "--prompt", "a"}).exit_code, 2);
    }

    void a_batch_with_a_finished_video_is_not_a_bad_request() {
        write(folder_.filePath("mixed.jsonl"), "{\"prompt\": \"one\"}\n{\"prompt\": \"two\"}\n");
        StubScript script = working_script();
        const Error error(ErrorCode::output_exists, "exists", "");
        script.run = [&](const VideoRequest& request) {
            if (request.prompt == "one") return finish_at_once(request);
            return std::vector<RunEvent>{RunFailed{error}};
        };
        QCOMPARE(run_commands(script, {"generate", "--batch", "mixed.jsonl"}).exit_code, 1);
    }

    void a_failed_job_with_a_finished_step_is_kept_data() {
        QTest::addColumn<int>("code");
        QTest::newRow("output folder gone") << int(ErrorCode::output_not_writable);
        QTest::newRow("model disk gone") << int(ErrorCode::file_not_found);
        QTest::newRow("NaN") << int(ErrorCode::not_finite);
        QTest::newRow("disk full") << int(ErrorCode::disk_full);
    }
    void a_failed_job_with_a_finished_step_is_kept() {
        QFETCH(int, code);
        StubScript script = working_script();
        Job job;
        job.id = 1;
        job.state = JobState::failed;
        job.step = 60;
        job.num_steps = 60;
        script.jobs = {job};
        const Error error(static_cast<ErrorCode>(code), "what happened", "");
        script.run = [&](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{error}}; };
        const auto result = run_commands(script, {"resume", "--json"});
        QVERIFY(result.exit_code == 1 || code == int(ErrorCode::not_finite));
        QVERIFY(script.removed.empty());
        QVERIFY(Json::parse(result.out).at("kept_job") == Json(1));
    }

    void resume_performs_the_requested_action_data() {
        QTest::addColumn<QString>("flag");
        QTest::addColumn<QString>("done");
        QTest::newRow("continued") << ""
                                   << "proceeded";
        QTest::newRow("decoded") << "--decode-now"
                                 << "decoded";
        QTest::newRow("restarted") << "--start-over"
                                   << "restarted";
        QTest::newRow("deleted") << "--discard"
                                 << "removed";
    }
    void resume_performs_the_requested_action() {
        QFETCH(QString, flag);
        QFETCH(QString, done);
        StubScript script = working_script();
        for (const JobId id : {3, 5}) {
            Job job;
            job.id = id;
            job.state = JobState::paused;
            job.step = 2;
            script.jobs.push_back(job);
        }
        std::vector<std::string> arguments{"resume", "--all"};
        if (!flag.isEmpty()) arguments.push_back(flag.toStdString());
        QCOMPARE(run_commands(script, arguments).exit_code, 0);
        const std::map<QString, std::vector<JobId>> lists{{"proceeded", script.proceeded},
                                                          {"decoded", script.decoded},
                                                          {"restarted", script.restarted},
                                                          {"removed", script.removed}};
        for (const auto& [name, jobs] : lists)
            QCOMPARE(jobs, name == done ? (std::vector<JobId>{3, 5}) : std::vector<JobId>{});
    }

    void a_failed_run_names_its_log() {
        write(folder_.filePath("left.jsonl"), "{}\n");
        StubScript script = working_script();
        const Error error(ErrorCode::not_finite, "what happened", "");
        for (const RunEvent& end : {RunEvent(RunFailed{error}), RunEvent(RunCancelled{2, {}})}) {
            script.run = [&end](const VideoRequest& request) {
                return std::vector<RunEvent>{RunStarted{request, small_card(), {}}, end};
            };
            const auto result = run_commands(script, {"generate", "--prompt", "a", "--numeric-log", "left.jsonl"});
            QVERIFY2(result.err.find("numeric log: 'left.jsonl'") != std::string::npos, result.err.c_str());
            QVERIFY2(result.err.find("nothing was kept") == std::string::npos, result.err.c_str());
        }
    }

    void a_missing_log_is_reported_at_the_end() {
        StubScript script = working_script();
        script.run = [](const VideoRequest& request) {
            std::vector<RunEvent> events = finish_at_once(request);
            events.insert(events.begin() + 1, LogLine{"warning", "the disk is full"});
            return events;
        };
        const auto result = run_commands(script, {"generate", "--prompt", "a", "--numeric-log", "a.jsonl", "--json"});
        QCOMPARE(result.exit_code, 0);
        const Json document = Json::parse(result.out);
        QVERIFY(document.at("numeric_log") == Json(""));
        QVERIFY(document.at("warnings") == Json({"the disk is full"}));
    }

    void warnings_of_the_guard_are_reported_once() {
        StubScript script = working_script();
        script.run = [](const VideoRequest& request) {
            GuardActed warning{.phase = Phase::denoise, .step = 2, .site = "transformer.latents"};
            warning.detector = Detector::latents;
            warning.found.text = "75 % of the latents did not change in this step";
            warning.action = GuardAction::warn;
            std::vector<RunEvent> events = finish_at_once(request);
            events.insert(events.begin() + 1, {warning, warning});
            std::get<RunFinished>(events.back()).result.warnings = {warning};
            return events;
        };
        const Json document = Json::parse(run_commands(script, {"generate", "--prompt", "a", "--json"}).out);
        QVERIFY(document.at("warnings") ==
                Json({"step 3, transformer.latents: 75 % of the latents did not change in this step (S6)"}));
    }

    void notes_are_not_warnings() {
        StubScript script = working_script();
        script.run = [](const VideoRequest& request) {
            std::vector<RunEvent> events = finish_at_once(request);
            events.insert(events.begin() + 1, LogLine{"note", "good to know"});
            return events;
        };
        const Json document = Json::parse(run_commands(script, {"generate", "--prompt", "a", "--json"}).out);
        QVERIFY(document.at("warnings").empty());
        QVERIFY(document.at("notes") == Json({"good to know"}));
        QVERIFY(!document.contains("steps_reused"));
    }

    void reused_steps_are_counted() {
        StubScript script = working_script();
        script.run = [](const VideoRequest& request) {
            std::vector<RunEvent> events = finish_at_once(request);
            StepCompleted step;
            step.prediction = PredictionSource::reused;
            events.insert(events.begin() + 1, {StepCompleted(), step, StepCompleted()});
            return events;
        };
        const Words words = {"generate", "--prompt", "a", "--step-cache", "0.1", "--json"};
        QVERIFY(Json::parse(run_commands(script, words).out).at("steps_reused") == Json(1));
        script.run = finish_at_once;
        QVERIFY(Json::parse(run_commands(script, words).out).at("steps_reused") == Json(0));
    }

    void presets_are_listed_with_settings_and_drawbacks() {
        StubScript script = working_script();
        script.presets = {{.name = "quick",
                           .description = "Loses 3 dB.",
                           .fields = "{}",
                           .file = {},
                           .written = R"({"num_frames": 33, "storage": "int8"})",
                           .machine = "cpu",
                           .family = "wan",
                           .needs = PresetNeeds::lora,
                           .best = true},
                          {.name = "plain", .description = {}, .fields = "{}", .file = {}, .written = "{}"}};
        const CommandResult human = run_commands(script, {"presets"});
        QCOMPARE(human.exit_code, 0);
        for (const char* words : {"num_frames 33, storage int8", "wan, with a LoRA", "quick: Loses 3 dB.", "plain"})
            QVERIFY2(human.out.find(words) != std::string::npos, human.out.c_str());
        QVERIFY(human.out.find("plain:") == std::string::npos);
        const Json rows = Json::parse(run_commands(script, {"presets", "--json"}).out).at("presets");
        QVERIFY(rows.at(0).at("request") == Json({{"num_frames", 33}, {"storage", "int8"}}));
        QVERIFY(rows.at(0).at("auto") == Json(true) && rows.at(1).at("auto") == Json(false));
    }

    void bench_needs_no_prompt_and_names_the_reference_of_its_ratios() {
        StubScript script = working_script();
        QCOMPARE(run_commands(script, {"bench", "--prompt", "a hill"}).exit_code, 0);
        const CommandResult without = run_commands(script, {"bench"});
        QCOMPARE(without.exit_code, 0);
        QCOMPARE(script.benched.at(0).prompt, std::string("a hill"));
        QVERIFY(!script.benched.at(1).prompt.empty());
        QVERIFY2(without.out.find("0.5    denoise of the profiled run") != std::string::npos, without.out.c_str());
        script.card.example_prompts = {"an example"};
        run_commands(script, {"bench"});
        QCOMPARE(script.benched.at(2).prompt, std::string("an example"));
        QCOMPARE(run_commands(script, {"bench", "--width", "7"}).exit_code, 2);
    }

    void an_invalid_device_description_names_the_expected_form() {
        for (const char* device : {"sm89", "sm89:0GiB"}) {
            StubScript script = working_script();
            const CommandResult result = run_commands(script, {"plan", "--prompt", "a", "--device", device});
            QCOMPARE(result.exit_code, 2);
            QVERIFY2(result.err.find("smNN:NGiB") != std::string::npos, result.err.c_str());
        }
    }

    void progress_as_json_lines() {
        StubScript script = working_script();
        script.run = [](const VideoRequest& request) {
            StepCompleted step{0, 1, 999, 1, 0.5, {}, {}, {}, 0, 0};
            step.latents.max_abs = std::numeric_limits<double>::infinity();
            std::vector<RunEvent> events = finish_at_once(request);
            events.insert(events.begin() + 1,
                          {PhaseStarted{Phase::denoise, 1}, PhaseProgress{Phase::denoise, 1, 1, 0.5}, step,
                           PreviewReady{}, NumericsReady{{NumericSample{}}}, GuardActed{}, LogLine{"info", "hello"}});
            return events;
        };
        const auto result = run_commands(script, {"generate", "--prompt", "a", "--progress", "json", "--json"});
        QCOMPARE(result.exit_code, 0);
        std::istringstream lines(result.out);
        Words names;
        for (std::string line; std::getline(lines, line);) {
            const Json event = Json::parse(line);
            names.push_back(event.at("event").get<std::string>());
            QVERIFY(event.at("job") == Json(1));
            if (names.back() == "step") QVERIFY(event.at("latents").at("max_abs") == Json("inf"));
        }
        QCOMPARE(names,
                 (Words{"started", "phase", "progress", "step", "preview", "numerics", "guard", "log", "finished"}));
    }

    void the_doctor_reports_faults_and_remedies() {
        StubScript script = working_script();
        const CommandResult kept = run_commands(script, {"doctor"});
        QCOMPARE(kept.exit_code, 0);
        for (const char* words : {"cublas: 12.3.2", "tf32_matmul: off", "NVIDIA H20", "as kept", "SIGFPE",
                                  "cuBLAS instead of cuBLASLt", "Install cuBLAS 12.4.5.8", "https://example.org/1"})
            QVERIFY2(kept.out.find(words) != std::string::npos, words);
        QVERIFY(kept.out.find("blocks.3.ffn") != std::string::npos);
        QVERIFY(run_commands(script, {"doctor", "--forget-overrides"}).out.find("of 2 models") != std::string::npos);
        QVERIFY(run_commands(script, {"doctor", "--fresh"}).out.find("tried anew") != std::string::npos);
    }

    void every_command_speaks_json_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("key");
        QTest::newRow("devices") << QStringList{"devices"} << "devices";
        QTest::newRow("doctor") << QStringList{"doctor"} << "libraries";
        QTest::newRow("models") << QStringList{"models"} << "models";
        QTest::newRow("presets") << QStringList{"presets"} << "presets";
        QTest::newRow("inspect") << QStringList{"inspect", "somewhere"} << "components";
        QTest::newRow("plan") << QStringList{"plan", "--prompt", "a"} << "phases";
        QTest::newRow("verify") << QStringList{"verify", "one", "two"} << "cases";
        QTest::newRow("bench") << QStringList{"bench", "--prompt", "a"} << "rows";
        QTest::newRow("generate") << QStringList{"generate", "--prompt", "a"} << "output";
        QTest::newRow("error") << QStringList{"generate"} << "error";
    }

    void every_command_speaks_json() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, key);
        Words words;
        for (const QString& argument : arguments) words.push_back(argument.toStdString());
        StubScript script = working_script();
        script.verify.passed = true;
        words.push_back("--json");
        const auto result = run_commands(script, words);
        QVERIFY2(Json::parse(result.out).contains(key.toStdString()), result.out.c_str());
        words.pop_back();
        const auto human = run_commands(script, words);
        QCOMPARE(human.exit_code, result.exit_code);
        QVERIFY(!Json::accept(human.out));
    }

    void inspect_checks_the_weights_on_request_data() {
        QTest::addColumn<QString>("published");
        QTest::addColumn<int>("non_finite");
        QTest::addColumn<int>("exit_code");
        QTest::addColumn<QString>("said");
        QTest::newRow("no published hash") << "" << 0 << 0 << "4 tensors, sha256 aa";
        QTest::newRow("as published") << "aa" << 0 << 0 << "sha256 aa, as published";
        QTest::newRow("differs from the published file") << "bb" << 0 << 1 << "DIFFERS from the published bb";
        QTest::newRow("damaged") << "bb" << 3 << 4 << "3 of 10 values are NaN or infinite";
    }
    void inspect_checks_the_weights_on_request() {
        QFETCH(QString, published);
        QFETCH(int, non_finite);
        QFETCH(int, exit_code);
        QFETCH(QString, said);
        StubScript script = working_script();
        script.check = {.file = {}, .sha256 = "aa", .published = published.toStdString(), .num_tensors = 4};
        if (non_finite > 0)
            script.check.faults = {{.tensor = "a", .dtype = "float32", .count = 10, .non_finite = non_finite}};
        const auto result = run_commands(script, {"inspect", "somewhere", "--weights"});
        QCOMPARE(result.exit_code, exit_code);
        QVERIFY2(result.out.find(said.toStdString()) != std::string::npos, result.out.c_str());
        QCOMPARE(run_commands(script, {"inspect", "somewhere"}).exit_code, 0);
        const Json json = Json::parse(run_commands(script, {"inspect", "somewhere", "--weights", "--json"}).out);
        QCOMPARE(json.at("components").at(0).at("checks").at(0).at("passed").get<bool>(), exit_code == 0);
    }

    void verify_names_tensors_beyond_tolerance() {
        StubScript script = working_script();
        script.verify.rows = {{"transformer", "noise_pred_000", 0.5, 0.25, 0, 3e-5, false, "block.2"}};
        const auto result = run_commands(script, {"verify", "case"});
        QCOMPARE(result.exit_code, 1);
        QVERIFY2(result.out.find("BEYOND") != std::string::npos && result.out.find("block.2") != std::string::npos,
                 result.out.c_str());
    }

    void the_plan_names_policy_memory_and_notes() {
        StubScript script = working_script();
        script.plan.policy = {
            {"vae", "float16", "float32", "float32", "float32", "sdpa", "cpu", "auto", "it is exact"}};
        script.plan.phases = {{Phase::denoise, 12.5, 3LL << 30, {{"weights", 2LL << 30}}}};
        script.plan.notes = {"mind the step"};
        const auto result = run_commands(script, {"plan", "--prompt", "a"});
        QCOMPARE(result.exit_code, 0);
        for (const char* part :
             {"64x32, 9 frames", "it is exact", "12.50 s", "3.0 GiB", "weights 2.0 GiB", "note: mind the step"})
            QVERIFY2(result.out.find(part) != std::string::npos, result.out.c_str());
    }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
