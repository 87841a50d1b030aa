#include <QTest>
#include <csignal>
#include <nlohmann/json.hpp>

#include "app/cli/exit_code.h"
#include "tests/app/command_line_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

const LoggedPlace kBlock{
    .phase = "denoise", .step = 2, .branch = "cond", .component = "transformer", .site = "blocks.4.ffn"};

}  // namespace

/// Commands that print a report or write a file without a run.
class TestReports : public CommandLineFixture {
    Q_OBJECT

private Q_SLOTS:
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

    void a_signal_ends_an_export_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("exit_code");
        QTest::newRow("SIGINT") << SIGINT << int(cli::kCancelled);
        QTest::newRow("SIGTERM") << SIGTERM << int(cli::kSuspended);
        QTest::newRow("SIGHUP") << SIGHUP << int(cli::kSuspended);
    }
    void a_signal_ends_an_export() {
        QFETCH(int, signal);
        QFETCH(int, exit_code);
        StubScript script = working_script();
        script.during_export = [signal] { std::raise(signal); };
        QCOMPARE(run_commands(script, {"export", "a.mp4", "b.gif"}).exit_code, exit_code);
    }

    void a_limit_that_is_too_small_is_a_bad_request() {
        StubScript script = working_script();
        const Error error(ErrorCode::out_of_memory, "too small", "more", {{"needed", "2"}, {"program", "1"}});
        script.run = [&](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{error}}; };
        QCOMPARE(run_commands(script, {"generate", "--prompt", "a"}).exit_code, 2);
    }

    void presets_are_listed_with_settings_and_drawbacks() {
        StubScript script = working_script();
        script.presets = {{.name = "quick",
                           .description = "Loses 3 dB.",
                           .fields = R"({"num_frames": 29, "storage": "int8"})",
                           .file = {},
                           .written = R"({"num_frames": 33, "storage": "int8"})",
                           .machine = "cpu",
                           .family = "wan",
                           .needs = PresetNeeds::lora,
                           .best = true},
                          {.name = "plain", .description = {}, .fields = "{}", .file = {}, .written = "{}"}};
        const CommandResult human = run_commands(script, {"presets"});
        QCOMPARE(human.exit_code, 0);
        for (const char* words : {"num_frames 29, storage int8", "wan, with a LoRA", "quick: Loses 3 dB.", "plain"})
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

    void bench_writes_no_files() {
        write(folder_.filePath("run.json"), R"({"prompt": "a", "output": "a.mp4", "numeric_log": "a.jsonl"})");
        StubScript script = working_script();
        const CommandResult result = run_commands(script, {"bench", "--request", "run.json"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QVERIFY(script.benched.at(0).output == OutputRequest());
        const std::string help = run_commands(script, {"bench", "--help"}).out;
        QVERIFY(help.find("--repeats") != std::string::npos);
        for (const char* option : {"--output", "--overwrite", "--numeric-log", "--latents", "--preview-dir"})
            QVERIFY2(help.find(option) == std::string::npos, option);
    }

    void an_invalid_device_description_names_the_expected_form() {
        for (const char* device : {"sm89", "sm89:0GiB"}) {
            StubScript script = working_script();
            const CommandResult result = run_commands(script, {"plan", "--prompt", "a", "--device", device});
            QCOMPARE(result.exit_code, 2);
            QVERIFY2(result.err.find("smNN:NGiB") != std::string::npos, result.err.c_str());
        }
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

    void a_video_that_was_stopped_early_cannot_be_repeated_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<QString>("words");
        QTest::newRow("complete") << 0 << "generate --request recreates it";
        QTest::newRow("stopped") << 31 << "stopped after step 31; generate --request runs all steps";
    }

    void a_video_that_was_stopped_early_cannot_be_repeated() {
        QFETCH(int, step);
        QFETCH(QString, words);
        StubScript script = working_script();
        script.description.stopped_after_step = step;
        const auto human = run_commands(script, {"inspect", "a.mp4"});
        QVERIFY2(human.out.find(words.toStdString()) != std::string::npos, human.out.c_str());
        const Json document = Json::parse(run_commands(script, {"inspect", "a.mp4", "--json"}).out);
        QCOMPARE(document.value("stopped_after_step", 0), step);
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

    void verify_goes_on_after_a_case_that_it_cannot_read_data() {
        QTest::addColumn<bool>("passed");
        QTest::addColumn<int>("exit_code");
        QTest::newRow("the others pass") << true << 2;
        QTest::newRow("the others differ") << false << 1;
    }

    void verify_goes_on_after_a_case_that_it_cannot_read() {
        QFETCH(bool, passed);
        QFETCH(int, exit_code);
        StubScript script = working_script();
        script.verify.passed = passed;
        script.missing_cases = {"README.md"};
        const auto human = run_commands(script, {"verify", "one", "README.md", "two"});
        QCOMPARE(human.exit_code, exit_code);
        QVERIFY2(human.err.find("README.md does not exist") != std::string::npos, human.err.c_str());
        QVERIFY2(human.out.find("two\n") != std::string::npos, human.out.c_str());
        const Json json = Json::parse(run_commands(script, {"verify", "one", "README.md", "two", "--json"}).out);
        QVERIFY(!json.at("passed").get<bool>());
        QCOMPARE(json.at("cases").size(), std::size_t{3});
        QVERIFY(json.at("cases")[1].contains("error"));
        QCOMPARE(json.at("cases")[2].at("passed").get<bool>(), passed);
    }

    void the_same_video_twice_is_identical() {
        StubScript script = working_script();
        const auto result = run_commands(script, {"compare", "a.jsonl", "a.jsonl"});
        QVERIFY2(result.out.ends_with("identical\n"), result.out.c_str());
        QCOMPARE(result.exit_code, 0);
        script.comparison.kind = CompareKind::videos;
        script.comparison.psnr_db = std::numeric_limits<double>::infinity();
        QCOMPARE(run_commands(script, {"compare", "a.mp4", "a.mp4"}).out, std::string("1 frame\nidentical\n"));
        const auto document = nlohmann::json::parse(run_commands(script, {"compare", "a", "a", "--json"}).out);
        QVERIFY(document.at("identical").get<bool>());
        script.comparison.psnr_db = 40;
        const auto near = run_commands(script, {"compare", "a.mp4", "b.mp4"});
        QCOMPARE(near.out, std::string("1 frame, 40 dB\nwithin tolerance\n"));
    }

    void differences_are_printed_in_words_and_as_values_data() {
        QTest::addColumn<int>("index");  // of the alternative
        QTest::addColumn<QString>("words");
        QTest::addColumn<QByteArray>("values");
        QTest::newRow("statistic") << 0 << "step 3, transformer blocks.4.ffn (cond): max_abs 12.3 against 12.9"
                                   << QByteArray(R"({"phase":"denoise","step":2,"branch":"cond",)"
                                                 R"("component":"transformer","site":"blocks.4.ffn",)"
                                                 R"("statistic":"max_abs","a":12.3,"b":12.9})");
        QTest::newRow("frame") << 1 << "frame 3: 31.200000 dB" << QByteArray(R"({"frame":2,"psnr_db":31.2})");
        QTest::newRow("length") << 2 << "one video ends after frame 2" << QByteArray(R"({"num_frames":2})");
    }
    void differences_are_printed_in_words_and_as_values() {
        QFETCH(int, index);
        const std::vector<FirstDifference> all = {StatisticDifference{kBlock, Statistic::max_abs, 12.3, 12.9, 0.05},
                                                  FrameDifference{.frame = 2, .psnr_db = 31.2},
                                                  LengthDifference{.num_frames = 2}};
        StubScript script = working_script();
        script.comparison.kind = index == 0 ? CompareKind::logs : CompareKind::videos;
        script.comparison.first_difference = all[static_cast<std::size_t>(index)];
        script.comparison.passed = false;
        const auto printed = QString::fromStdString(run_commands(script, {"compare", "a", "b"}).out);
        const auto document = Json::parse(run_commands(script, {"compare", "a", "b", "--json"}).out);
        QFETCH(QString, words);
        QVERIFY2(printed.contains("first difference: " + words), qPrintable(printed));
        QCOMPARE(QString::fromStdString(document.at("first_difference").get<std::string>()), words);
        QFETCH(QByteArray, values);
        QCOMPARE(document.at("first").dump(), Json::parse(values.toStdString()).dump());
    }

    void frames_of_both_videos_are_counted() {
        StubScript script = working_script();
        QVERIFY(!Json::parse(run_commands(script, {"compare", "a", "b", "--json"}).out).contains("num_frames_a"));
        script.comparison.kind = CompareKind::videos;
        script.comparison.num_frames_a = 49;
        script.comparison.num_frames_b = 25;
        const auto document = Json::parse(run_commands(script, {"compare", "a", "b", "--json"}).out);
        QCOMPARE(document.at("num_frames_a").get<int>(), 49);
        QCOMPARE(document.at("num_frames_b").get<int>(), 25);
    }

    void values_of_a_comparison_keep_their_words() {
        StubScript script = working_script();
        script.comparison.settings = {{SettingAspect::field, "seed", "7", ""},
                                      {SettingAspect::compute, "transformer", R"("float16")", R"("float32")"},
                                      {SettingAspect::storage, "vae", "1", "2"},
                                      {SettingAspect::device, "vae", "1", "2"},
                                      {SettingAspect::num_frames, "", "3", "2"}};
        script.comparison.largest_place = {.phase = "encode", .component = "text_encoder", .site = "shared"};
        script.comparison.other_count = {kBlock, 1240, 5120};
        script.comparison.first_difference = StatisticDifference{kBlock, Statistic::nan, std::nullopt, 2'000'000};
        const auto document = Json::parse(run_commands(script, {"compare", "a", "b", "--json"}).out);
        QCOMPARE(document.at("requests").get<std::vector<std::string>>(),
                 (std::vector<std::string>{
                     "seed: 7 against nothing", R"(transformer computes in: "float16" against "float32")",
                     "vae is kept in: 1 against 2", "vae runs on: 1 against 2", "frames: 3 against 2"}));
        QCOMPARE(document.at("largest_site").get<std::string>(), std::string("encode, text_encoder shared"));
        QCOMPARE(document.at("other_count").get<std::string>(),
                 std::string("step 3, transformer blocks.4.ffn (cond): 1240 values against 5120"));
        QCOMPARE(document.at("first_difference").get<std::string>(),
                 std::string("step 3, transformer blocks.4.ffn (cond): nan at least 1 against 2000000"));
    }

    void the_plan_of_a_long_video_counts_all_parts() {
        StubScript script = working_script();
        script.card.continuation = Continuation::last_frame;
        const std::vector<std::string> words{"plan", "--prompt", "a", "--next-prompt", "b", "--next-prompt", "c"};
        const auto result = run_commands(script, words);
        QVERIFY2(result.out.find("9 frames at 16 fps in each part\nwhole    3 parts, 25 frames, 1.562 s\n") !=
                     std::string::npos,
                 result.out.c_str());
        auto with_json = words;
        with_json.emplace_back("--json");
        const auto document = nlohmann::json::parse(run_commands(script, with_json).out);
        QCOMPARE(document.at("video").at("parts").get<int>(), 3);
        QCOMPARE(document.at("video").at("frames").get<int>(), 25);
        QCOMPARE(document.at("video").at("seconds").get<double>(), 1.5625);
    }

    void an_unknown_number_is_null() {
        StubScript script = working_script();
        script.plan.phases = {{Phase::denoise, 0, 3LL << 30, {}}};
        const Json planned = Json::parse(run_commands(script, {"plan", "--prompt", "a", "--json"}).out);
        QVERIFY(planned.at("seconds").is_null() && planned.at("phases")[0].at("seconds").is_null());
        script.verify.rows = {{.component = "vae", .tensor = "frames", .passed = true}};
        const Json verified = Json::parse(run_commands(script, {"verify", "a", "--json"}).out);
        QVERIFY(verified.at("cases")[0].at("rows")[0].at("psnr_db").is_null());
    }

    void the_plan_names_how_it_samples_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("line");
        QTest::newRow("defaults") << QStringList{"--steps", "12", "--guidance-scale", "5"}
                                  << "sampling 12 steps of unipc, guidance 5, flow shift 3\n";
        QTest::newRow("one step and one frame")
            << QStringList{"--steps", "1", "--guidance-scale", "5", "--num-frames", "1"}
            << "1 frame at 16 fps\nsampling 1 step of unipc, guidance 5, flow shift 3\n";
        QTest::newRow("second expert, method and step cache")
            << QStringList{"--steps",           "12",  "--guidance-scale", "5",  "--guidance-scale-2", "3",
                           "--guidance-method", "apg", "--step-cache",     "0.1"}
            << "sampling 12 steps of unipc, guidance 5 and 3 (second expert), method apg, flow shift 3, step cache "
               "0.1\n";
        QTest::newRow("strength") << QStringList{"--steps", "12",    "--guidance-scale", "5",
                                                 "--video", "v.mp4", "--strength",       "0.5"}
                                  << "sampling 6 of 12 steps of unipc, guidance 5, strength 0.5, flow shift 3\n";
    }

    void the_plan_names_how_it_samples() {
        QFETCH(QStringList, options);
        QFETCH(QString, line);
        StubScript script = working_script();
        script.card.video_use = VideoUse::start;
        script.card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::apg};
        if (options.contains("--guidance-scale-2")) script.card.default_guidance_scale_2 = 4;
        std::vector<std::string> words{"plan", "--prompt", "a"};
        for (const QString& option : options) words.push_back(option.toStdString());
        const auto result = run_commands(script, words);
        QCOMPARE(result.exit_code, 0);
        QVERIFY2(result.out.find(line.toStdString()) != std::string::npos, result.out.c_str());
    }

    void the_plan_names_policy_memory_and_notes() {
        StubScript script = working_script();
        script.plan.policy = {
            {"vae", "float16", "float32", "float32", "float32", "sdpa", "cpu", "auto", "it is exact"}};
        script.plan.phases = {{Phase::denoise, 12.5, 3LL << 30, {{"weights", 2LL << 30}}}};
        script.plan.notes = {"mind the step", "preset a, as requested: sets dtype bf16, num_frames 17, storage int8"};
        const auto result = run_commands(script, {"plan", "--prompt", "a"});
        QCOMPARE(result.exit_code, 0);
        for (const char* part : {"64x32, 9 frames", "it is exact", "12.50 s", "3.0 GiB", "weights 2.0 GiB",
                                 "note: mind the step", "sets --dtype bf16, --num-frames 17, --storage int8"})
            QVERIFY2(result.out.find(part) != std::string::npos, result.out.c_str());
    }
};

QTEST_GUILESS_MAIN(TestReports)
#include "test_reports.moc"
