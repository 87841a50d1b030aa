#include <QDir>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>
#include <fstream>
#include <iostream>
#include <sstream>

#include "app/cli/exit_code.h"
#include "app/cli/output_name.h"
#include "tests/app/command_line_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;
using Words = std::vector<std::string>;

class TestCommandLine : public CommandLineFixture {
    Q_OBJECT

private Q_SLOTS:
    void generate_takes_steps_after_the_run() {
        write(folder_.filePath("2x.pth"), "");
        StubScript script = working_script();
        const auto result = run_commands(
            script, {"generate", "--prompt", "a", "--upscale", "2x.pth", "--interpolate", "r.pth",
                     "--interpolation-fps", "24", "--audio", "t.wav", "--audio-fade-in", "0.5", "-o", "x.mp4"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const FinishSteps& steps = script.submitted.at(0).finish;
        QCOMPARE(steps.upscaler, std::filesystem::path(in_folder("2x.pth")));
        QCOMPARE(steps.interpolator, std::filesystem::path("r.pth"));
        QCOMPARE(*steps.interpolation_fps, 24);
        QCOMPARE(*steps.audio.fade_in, 0.5);
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
        QCOMPARE(*request.seed, std::uint64_t{42});
        QCOMPARE(request.half_accumulation, HalfAccumulation::allowed);
        QCOMPARE(request.guard, GuardMode::observe);
        QCOMPARE(request.offload, OffloadMode::none);
        QCOMPARE(request.vae_dtype, DtypeChoice::fp32);
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
                                                  "--prompt", "caf\xe9", "--guard", "no", "--dtype", "int3"});
        QCOMPARE(result.exit_code, 2);
        for (const char* part :
             {"error[bad_request]: --width must be a whole number", "--height must be a multiple of 16",
              "--steps must be 1 to 1000; it is 0", "--prompt is not valid UTF-8",
              "--guard must be off or observe or heal", "--dtype must be auto or fp32 or bf16 or fp16"})
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
                                    << "a whole number up to 18446744073709551615";
        QTest::newRow("negative seed") << QStringList{"generate", "--seed", "-1", "--prompt", "a"}
                                       << "--seed must be 0 or more; it is -1";
        QTest::newRow("exact large seed")
            << QStringList{"generate", "--seed", "18446744073709551616"} << "18446744073709551616";
        QTest::newRow("small tile") << QStringList{"finish", "a.mp4", "--tile", "5", "-o", "b.mp4"} << "--tile";
        QTest::newRow("missing value") << QStringList{"generate", "--width"} << "--width";
        QTest::newRow("unknown log level") << QStringList{"devices", "--log-level", "loud"} << "loud";
        QTest::newRow("missing model") << QStringList{"generate", "--model", "nowhere", "--prompt", "a"}
                                       << "error[file_not_found]";
        QTest::newRow("missing request file") << QStringList{"plan", "--request", "nowhere.json"} << "nowhere.json";
        QTest::newRow("missing resources folder") << QStringList{"devices", "--resources", "nowhere"} << "nowhere";
        QTest::newRow("zero repeats") << QStringList{"bench", "--repeats", "0", "--prompt", "a"}
                                      << "--repeats must be 1 to 1000";
        QTest::newRow("option of the cluster without --slurm")
            << QStringList{"generate", "--partition", "gpu", "--prompt", "a"} << "--slurm";
        QTest::newRow("no shared folder")
            << QStringList{"generate", "--slurm", "--prompt", "a"} << "no folder is named";
        QTest::newRow("missing shared folder")
            << QStringList{"generate", "--slurm", "--shared-dir", "/dev/null/nowhere", "--prompt", "a"}
            << "'/dev/null/nowhere' does not exist";
        for (const char* tolerance : {"nan", "-1", "inf", "x"}) {
            QTest::addRow("a PSNR of %s", tolerance)
                << QStringList{"compare", "a.mp4", "b.mp4", "--psnr", tolerance} << "is not a number of 0 or more";
            QTest::addRow("a tolerance of %s", tolerance)
                << QStringList{"compare", "a.jsonl", "b.jsonl", "--tolerance", tolerance}
                << "is not a number of 0 or more";
        }
        QTest::newRow("a PSNR for logs") << QStringList{"compare", "a.jsonl", "b.jsonl", "--psnr", "30"}
                                         << "--psnr has no effect on numeric logs";
        QTest::newRow("a tolerance for videos")
            << QStringList{"compare", "a.mp4", "b.mp4", "--tolerance", "0.1"} << "--tolerance has no effect on videos";
        const auto refused = [](const char* name, const QStringList& words, const char* part) {
            QTest::newRow(name) << words << part;
        };
        refused("index without a download", {"gpu-support", "status", "--index", "x"},
                "--index has no effect on gpu-support status");
        refused("removal without a driver", {"gpu-support", "remove", "--without-driver"},
                "--without-driver has no effect on gpu-support remove");
        refused("memory of a list", {"cluster", "list", "--mem", "3"}, "--mem has no effect on cluster list");
        refused("video of a list", {"cluster", "list", "--video", "9"}, "--video has no effect on cluster list");
        refused("batch of a list", {"cluster", "list", "foo"}, "batch has no effect on cluster list");
        refused("discarding a state", {"cluster", "status", "--discard"}, "--discard has no effect on cluster status");
        refused("folder of a short engine", {"serve", "--folder", "x"}, "--folder has no effect without --keep");
        refused("idle time of a short engine", {"serve", "--idle", "5"}, "--idle has no effect without --keep");
        refused("idle time that is not a number", {"serve", "--keep", "--idle", "nan"},
                "--idle: 'nan' is not a number");
        refused("pause that is not a number", {"cluster", "wait", "--poll", "nan"}, "--poll: 'nan' is not a number");
        refused("two values of a repeatable option", {"generate", "--prompt", "a", "--lora", "b", "c"},
                "Unknown arguments: c");
        refused("prompt without its option", {"generate", "a red ball"}, "A prompt follows --prompt");
        refused("words without an option", {"plan", "a", "red", "ball"}, "A prompt follows --prompt");
        refused("list of videos", {"cluster", "cancel", "--video", "[1,2]"}, "'[1,2]' is not a whole number");
        refused("quality of PNG frames", {"generate", "--prompt", "a", "-o", "frames", "--crf", "20"},
                "--crf has no effect on PNG files");
        refused("encoder of a picture", {"plan", "--prompt", "a", "-o", "a.PNG", "--codec", "libx264"},
                "--codec has no effect on PNG files");
        refused("steps by their short name", {"plan", "--prompt", "a", "--steps=abc"},
                "error[bad_request]: --steps must be a whole number");
        refused("steps by their long name", {"plan", "--prompt", "a", "--num-inference-steps", "0"},
                "error[bad_request]: --num-inference-steps must be 1 to 1000");
        refused("video of a measurement", {"bench", "--prompt", "a", "--output", "a.mp4"},
                "Unknown arguments: --output a.mp4");
        refused("latents of a measurement", {"bench", "--prompt", "a", "--latents", "l.safetensors"}, "--latents");
        refused("two rates by their short names",
                {"finish", "a.mp4", "--interpolate", "r.pth", "--factor", "2", "--fps", "16", "-o", "b.mp4"},
                "--factor excludes --fps");
        refused("two rates by one short name",
                {"finish", "a.mp4", "--interpolate", "r.pth", "--factor=2", "--interpolation-fps", "16", "-o", "b.mp4"},
                "--factor excludes --interpolation-fps");
        refused("image fit without an image", {"plan", "--prompt", "a", "--image-fit", "stretch"},
                "--image-fit has no effect without an image");
        refused("tiles of nothing", {"finish", "a.mp4", "--tile", "128", "-o", "b.mp4"}, "--tile requires --upscale");
        refused("automatic type of a check", {"verify", "a", "--dtype", "auto"}, "--dtype");
        refused("half a factor", {"finish", "a.mp4", "--upscale", "x", "--upscale-factor", "2.5", "-o", "b.mp4"},
                "--upscale-factor: '2.5' is not a whole number");
        refused("hexadecimal quality", {"export", "a.mp4", "b.mp4", "--crf", "0x10"}, "'0x10' is not a whole number");
        refused("many threads", {"finish", "a.mp4", "--threads", "99999999999", "-o", "b.mp4"},
                "'99999999999' is not a whole number");
        refused("description of a log", {"inspect", "a.jsonl"}, "is a numeric log or a batch");
        refused("old GPU", {"plan", "--prompt", "a", "--device", "sm12:24GiB"}, "--device 'sm12:24GiB' is unknown");
        QTest::newRow("unknown action") << QStringList{"cluster", "paint"} << "paint";
        QTest::newRow("unknown batch") << QStringList{"cluster", "status", "nowhere"} << "no batch 'nowhere'";
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

    void an_option_without_its_value_is_named() {
        StubScript script = working_script();
        const auto help = [&script](const Words& words) {
            return QString::fromStdString(run_commands(script, words).out);
        };
        const auto check = [&script](const QString& command, const QString& option) {
            const auto result = run_commands(script, {command.toStdString(), option.toStdString()});
            QCOMPARE(result.exit_code, 2);
            const QString message = QString::fromStdString(result.err);
            QVERIFY2(message.contains(option + ": 1 required"), qPrintable(command + " " + option + ": " + message));
        };
        static const QRegularExpression command(QStringLiteral("^  ([a-z][a-z-]*)  "),
                                                QRegularExpression::MultilineOption);
        static const QRegularExpression option(
            QStringLiteral("^  (?:-\\w,)?(--[a-z][a-z0-9-]*)(?:,\\S+)? (?!Excludes:|Needs:)\\S"),
            QRegularExpression::MultilineOption);
        int count = 0;
        for (auto commands = command.globalMatch(help({"--help"})); commands.hasNext();) {
            const QString name = commands.next().captured(1);
            for (auto options = option.globalMatch(help({name.toStdString(), "--help"})); options.hasNext(); ++count)
                check(name, options.next().captured(1));
        }
        QVERIFY2(count > 200, qPrintable(QString::number(count)));
        for (const char* hidden : {"--submission", "--index"}) check("cluster", hidden);
        check("serve", "--keep-here");
        for (const char* name : {"serve", "cluster"})
            for (const char* hidden : {"--keep-here", "--submission", "--index"})
                QVERIFY2(!help({name, "--help"}).contains(hidden), hidden);
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
        static const QRegularExpression command(QStringLiteral("^  ([a-z][a-z-]*)  "),
                                                QRegularExpression::MultilineOption);
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
        QVERIFY(commands.contains("gpu-support") && commands.size() >= 16);
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

    void words_in_square_brackets_stay_whole() {
        StubScript script = working_script();
        script.card.takes_conditions = true;
        script.card.continuation = Continuation::last_frame;
        auto result =
            run_commands(script, {"generate", "--prompt", "[a, b]", "--next-prompt", "[slow, wide] ball",
                                  "--next-prompt", "[red ball, blue background]", "--lora", "[x,y]", "--lora", "[z]"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const VideoRequest& parts = script.submitted.at(0);
        QCOMPARE(parts.prompt, std::string("[a, b]"));
        QCOMPARE(parts.next_prompts, (Words{"[slow, wide] ball", "[red ball, blue background]"}));
        QCOMPARE(parts.loras.size(), std::size_t{2});
        QCOMPARE(parts.loras[0].path, std::filesystem::path("[x,y]"));
        QCOMPARE(parts.loras[1].path, std::filesystem::path("[z]"));
        result = run_commands(script, {"generate", "--prompt", "a", "--condition", "[c,d]"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.at(1).conditions.size(), std::size_t{1});
        QCOMPARE(script.submitted.at(1).conditions[0].file, std::filesystem::path(in_folder("[c,d]")));
        script.card.video_use = VideoUse::control;
        result = run_commands(script, {"generate", "--prompt", "a", "--video", "v.mp4", "--reference-image", "[e,f]"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.at(2).reference_images.size(), std::size_t{1});
        QCOMPARE(script.submitted.at(2).reference_images[0], std::filesystem::path(in_folder("[e,f]")));
        result = run_commands(script, {"verify", "[g,h]", "i", "--json"});
        QVERIFY2(result.out.find("\"case\":\"[g,h]\"") != std::string::npos, result.out.c_str());
        QVERIFY2(result.out.find("\"case\":\"i\"") != std::string::npos, result.out.c_str());
    }

    void zeros_before_a_number_mean_nothing() {
        StubScript script = working_script();
        auto result = run_commands(script, {"finish", "a.mp4", "--upscale", "2x.pth", "--upscale-factor", "02", "--crf",
                                            "08", "--threads", "010", "--tile", "0128", "-o", "b.mp4"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const FinishRequest& finished = script.made_finished.at(0);
        QCOMPARE(*finished.steps.upscale_factor, 2);
        QCOMPARE(*finished.output.crf, 8);
        QCOMPARE(*finished.threads, 10);
        QCOMPARE(*finished.tile, 128);
        result = run_commands(script, {"export", "a.mp4", "b.mp4", "--crf", "010"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(*script.exported.at(0).output.crf, 10);
        result = run_commands(script, {"generate", "--prompt", "a", "--crf", "010", "--seeds", "012"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), std::size_t{12});
        QCOMPARE(*script.submitted.at(0).output.crf, 10);
        result = run_commands(script, {"bench", "--prompt", "a", "--repeats", "010", "--json"});
        QVERIFY2(result.out.find("\"repeats\":10") != std::string::npos, result.out.c_str());
    }

    /// A name without a file in the current folder is looked up later, in the folders for LoRAs.
    void loras_keep_their_order() {
        write(folder_.filePath("b.safetensors"), "");
        StubScript script = working_script();
        const auto result = run_commands(
            script, {"generate", "--prompt", "p", "--lora", "b.safetensors:-0.5", "--lora", "c:d.safetensors"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const auto& loras = script.submitted.at(0).loras;
        QCOMPARE(loras.size(), std::size_t{2});
        QVERIFY((loras[0] == LoraRequest{in_folder("b.safetensors"), -0.5}));
        QVERIFY((loras[1] == LoraRequest{"c:d.safetensors", 1.0}));
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
        QVERIFY(request.seed);
        QCOMPARE(request.output.file, std::filesystem::path(in_folder("cases/a.mp4")));
    }

    void requests_come_from_standard_input_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("request") << QStringList{"--request", "-"};
        QTest::newRow("batch") << QStringList{"--batch", "-"};
        QTest::newRow("request from the device") << QStringList{"--request", "/dev/stdin"};
        QTest::newRow("batch from the device") << QStringList{"--batch", "/dev/stdin"};
    }
    void requests_come_from_standard_input() {
        QFETCH(QStringList, words);
        std::istringstream input(R"({"prompt": "a ball", "output": "a.mp4"})");
        std::streambuf* const before = std::cin.rdbuf(input.rdbuf());
        const auto restore = qScopeGuard([before] {
            std::cin.rdbuf(before);
            std::cin.clear();
        });
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", words[0].toStdString(), words[1].toStdString()});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.at(0).prompt, std::string("a ball"));
        QCOMPARE(script.submitted.at(0).output.file, std::filesystem::path(in_folder("a.mp4")));
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
        QCOMPARE(*script.submitted.at(0).seed, std::uint64_t{9});
    }

    void default_names_avoid_existing_files() {
        VideoRequest request;
        request.prompt = "A Red ball, über the sea: and one two three";
        request.seed = 5;
        const std::filesystem::path folder = folder_.path().toStdString();
        const auto first = cli::free_output_name(request, folder);
        QCOMPARE(first.filename(), std::filesystem::path("a-red-ball-über-the-sea-5.mp4"));
        std::ofstream(first) << "here";
        QCOMPARE(cli::free_output_name(request, folder).filename(),
                 std::filesystem::path("a-red-ball-über-the-sea-5-2.mp4"));
    }

    void default_names_keep_the_letters_of_every_script() {
        const std::string folder = folder_.path().toStdString();
        const std::pair<const char*, const char*> rows[] = {
            {"红色的球向左移动，蓝色背景", "红色的球向左移动-蓝色背景"},
            {"一只猫在雪地里慢慢地走过一座很长很长的桥", "一只猫在雪地里慢慢地走过一座很长"},
            {"Красный мяч — «море»", "Красный-мяч-море"},
            {"日本語のテスト。１２", "日本語のテスト-１２"},
            {"../A\xE2\x80\xAE"
             "b",
             "a-b"},
            {"👍🏽 ☂☂", "video"},
            {"ball \xFF", "video"}};
        for (const auto& [prompt, words] : rows) {
            VideoRequest request;
            request.prompt = prompt;
            request.seed = 5;
            QCOMPARE(cli::free_output_name(request, folder).filename().string(), words + std::string("-5.mp4"));
        }
    }

    void default_names_avoid_the_outputs_of_other_lines() {
        write(folder_.filePath("names.jsonl"), R"({"prompt": "red ball", "seed": 7})"
                                               "\n"
                                               R"({"prompt": "x", "output": "red-ball-7.mp4"})"
                                               "\n"
                                               R"({"prompt": "red ball", "seed": 7})");
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--batch", "names.jsonl", "--quiet"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), std::size_t{3});
        QCOMPARE(script.submitted[0].output.file, std::filesystem::path("red-ball-7-2.mp4"));
        QCOMPARE(script.submitted[2].output.file, std::filesystem::path("red-ball-7-3.mp4"));
    }

    void lines_with_the_same_output_are_refused_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<int>("exit_code");
        const auto row = [](const char* name, const char* first, const char* second, int exit_code) {
            QTest::newRow(name) << first << second << exit_code;
        };
        row("video", R"("output": "a.mp4")", R"("output": "./a.mp4")", 1);
        row("folder of frames", R"("output": "f")", R"("output": "f/")", 1);
        row("numeric log", R"("numeric_log": "l.jsonl")", R"("numeric_log": "l.jsonl")", 1);
        row("numeric CSV", R"("numeric_csv": "l.csv")", R"("numeric_csv": "l.csv")", 1);
        row("latents", R"("latents": "l.safetensors")", R"("latents": "l.safetensors")", 1);
        row("frames", R"("latents": "l.safetensors")", R"("frames": "l.safetensors")", 1);
        row("previews", R"("preview_dir": "p/")", R"("preview_dir": "p")", 1);
        row("log without a file", R"("numeric_log": "/dev/null")", R"("numeric_log": "/dev/null")", 0);
    }

    void lines_with_the_same_output_are_refused() {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QFETCH(int, exit_code);
        const QString lines = R"({"prompt": "a", %1})"
                              "\n"
                              R"({"prompt": "b", %2})";
        write(folder_.filePath("same.jsonl"), lines.arg(first, second).toStdString());
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--batch", "same.jsonl", "--quiet"});
        QCOMPARE(result.exit_code, exit_code);
        QCOMPARE(script.submitted.size(), std::size_t(exit_code == 0 ? 2 : 1));
        const bool is_told = result.err.find("line 2: two requests of the batch write to '") != std::string::npos;
        QVERIFY2(is_told == (exit_code != 0), result.err.c_str());
    }

    void alternatives_in_a_line_make_a_video_each() {
        write(folder_.filePath("alternatives.jsonl"), R"({"prompt": "a {red|blue} ball", "output": "ball.mp4"})"
                                                      "\n"
                                                      R"({"prompt": "a cube", "output": "cube.mp4"})");
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--batch", "alternatives.jsonl", "--quiet"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), std::size_t{3});
        QCOMPARE(script.submitted[0].prompt, std::string("a red ball"));
        QCOMPARE(script.submitted[1].prompt, std::string("a blue ball"));
        QCOMPARE(script.submitted[1].output.file.filename(), std::filesystem::path("ball-2.mp4"));
        QCOMPARE(script.submitted[2].output.file.filename(), std::filesystem::path("cube.mp4"));
    }

    void a_stray_brace_beside_alternatives_is_noted_data() {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<bool>("is_noted");
        QTest::newRow("behind") << "a {red|blue} ball{" << true;
        QTest::newRow("in front") << "}a {red|blue} ball" << true;
        QTest::newRow("paired") << "a {red|blue} {ball}" << false;
    }
    void a_stray_brace_beside_alternatives_is_noted() {
        QFETCH(QString, prompt);
        QFETCH(bool, is_noted);
        StubScript script = working_script();
        QFile log(folder_.filePath("stray_brace.log"));
        log.remove();
        const auto result = run_commands(
            script, {"generate", "--prompt", prompt.toStdString(), "--log-file", log.fileName().toStdString()});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), std::size_t{2});
        QVERIFY(log.open(QIODevice::ReadOnly));
        const QByteArray lines = log.readAll();
        QVERIFY2(lines.contains("the prompt has a brace without its partner") == is_noted, lines);
    }

    void an_image_fit_needs_an_image() {
        StubScript script = working_script();
        script.card.takes_conditions = true;
        const auto result =
            run_commands(script, {"generate", "--prompt", "a", "--condition", "c.png", "--image-fit", "stretch"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.at(0).image_fit, ImageFit::stretch);
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
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
