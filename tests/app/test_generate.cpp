#include <QDir>
#include <QProcess>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fstream>
#include <optional>
#include <set>

#include "tests/app/broken_models.h"
#include "tests/app/cli_process.h"
#include "tests/app/json_schema.h"
#include "tests/support/file_bytes.h"
#include "tests/support/sanitizers.h"
#include "tests/support/small_disk.h"

using namespace kinescope::testing;
using Json = nlohmann::json;

namespace {

std::vector<Json> records_of(const QString& file) {
    std::vector<Json> records;
    std::ifstream lines(file.toStdString());
    for (std::string line; std::getline(lines, line);) records.push_back(Json::parse(line));
    return records;
}

auto count(const std::vector<Json>& records, const char* kind) {
    return std::count_if(records.begin(), records.end(),
                         [&](const Json& record) { return record.at("record") == kind; });
}

}  // namespace

class TestGenerate : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    QString file(const char* name) const { return folder_.filePath(name); }

    const QStringList kLongRun{"--steps", "1000", "--progress", "json"};

    static void wait_for_steps(QProcess& process, int count = 1) {
        QByteArray seen;
        while (seen.count("\"event\":\"step\"") < count && process.waitForReadyRead(60000))
            seen += process.readAllStandardOutput();
        QVERIFY2(seen.count("\"event\":\"step\"") >= count, seen + process.readAllStandardError());
    }

    static void stop_after_a_step(QProcess& process, const QStringList& arguments, int signal) {
        process.start(cli_program(), arguments);
        wait_for_steps(process);
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    }

private Q_SLOTS:
    void initTestCase() {
        if (tiny_model().isEmpty()) QSKIP("the tiny model is missing");
    }

    void only_a_terminal_with_a_cursor_shows_a_bar_data() {
        QTest::addColumn<QString>("terminal");
        QTest::addColumn<bool>("has_bar");
        QTest::newRow("xterm") << "xterm" << true;
        QTest::newRow("dumb") << "dumb" << false;
    }
    void only_a_terminal_with_a_cursor_shows_a_bar() {
        QFETCH(QString, terminal);
        QFETCH(bool, has_bar);
        if (QStandardPaths::findExecutable("script").isEmpty()) QSKIP("script(1) is missing");
        QString command = cli_program();
        for (const QString& word :
             generate_arguments(tiny_model(), file("bar.mp4"), {"--progress", "auto", "--overwrite"}))
            command += " '" + word + "'";
        auto variables = QProcessEnvironment::systemEnvironment();
        variables.insert("TERM", terminal);
        QProcess process;
        process.setProcessEnvironment(variables);
        process.start("script", {"-qec", command, "/dev/null"});
        QVERIFY(process.waitForFinished(120000));
        const QByteArray shown = process.readAllStandardOutput();
        QVERIFY2(process.exitCode() == 0, shown);
        QVERIFY2(shown.contains("\x1b[2K") == has_bar, shown);
    }

    void a_preset_is_noted_and_reused_steps_are_counted() {
        const auto result = run_cli(generate_arguments(tiny_model(), file("preset.mp4"), {"--preset", "less-work"}));
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.err.contains("note: preset less-work, as requested"), result.err);
        QVERIFY2(!result.err.contains("warning:"), result.err);
        QVERIFY2(result.err.contains(" of 2 steps reused"), result.err);
    }

    void previews_by_a_tiny_decoder_are_logged_and_counted() {
        const auto result = run_cli(generate_arguments(
            tiny_model(), file("tiny.mp4"),
            {"--preview-decoder", KINESCOPE_SOURCE_DIR "/tests/data/taehv/taew2_1.pth", "--numeric-log",
             file("tiny.jsonl"), "--preview-dir", file("previews"), "--guidance-method", "cfg_zero_star"}));
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.err.contains("previews took "), result.err);
        const Json schema = Json::parse(std::ifstream(KINESCOPE_SOURCE_DIR "/resources/numeric_log.schema.json"));
        const auto records = records_of(file("tiny.jsonl"));
        for (const Json& record : records) QCOMPARE(schema_faults(schema, record), std::vector<std::string>{});
        QVERIFY(records.front().at("request").at("guidance_method") == Json("cfg_zero_star"));
        const auto has_preview = [](const Json& record) { return record.contains("preview"); };
        QVERIFY(std::any_of(records.begin(), records.end(), has_preview));
        QVERIFY(!QDir(file("previews")).entryList({"step0000_frame*.png"}).isEmpty());
    }

    void a_quiet_run_prints_nothing_of_its_encoder() {
        const auto result = run_cli(generate_arguments(
            tiny_model(), file("av1.mp4"), {"--width", "64", "--height", "64", "--codec", "libsvtav1", "--quiet"}));
        if (result.err.contains("codec_missing")) QSKIP("this libav has no SVT-AV1.");
        QCOMPARE(result.err, QByteArray());
        QCOMPARE(result.exit_code, 0);
    }

    void a_video_and_its_log() {
        const auto result =
            run_cli(generate_arguments(tiny_model(), file("a.mp4"),
                                       {"--numeric-log", file("a.jsonl"), "--numeric-csv", file("a.csv"), "--frames",
                                        file("a.safetensors"), "--latents", file("al.safetensors")}));
        QVERIFY2(result.exit_code == 0, result.err);
        QCOMPARE(result.out, (file("a.mp4") + "\n").toUtf8());
        QCOMPARE(bytes_of(file("a.mp4")).mid(4, 4), QByteArray("ftyp"));
        QVERIFY(!bytes_of(file("al.safetensors")).isEmpty());

        const Json schema = Json::parse(std::ifstream(KINESCOPE_SOURCE_DIR "/resources/numeric_log.schema.json"));
        const auto records = records_of(file("a.jsonl"));
        for (const Json& record : records) QCOMPARE(schema_faults(schema, record), std::vector<std::string>{});
        QVERIFY(records.front().at("record") == Json("header"));
        QVERIFY(records.front().at("request").at("seed") == Json(7));
        QVERIFY(records.back().at("record") == Json("summary"));
        QVERIFY(records.back().at("status") == Json("completed"));
        QCOMPARE(count(records, "step"), 2);
        QCOMPARE(count(records, "frame"), 5);
        QVERIFY(count(records, "stat") > 10);
        QCOMPARE(bytes_of(file("a.csv")).count('\n'), count(records, "stat") + 1);
    }

    void a_run_in_16_bits_logs_its_coarsest_ops() {
        const auto result = run_cli(generate_arguments(tiny_model(), file("rounding.mp4"),
                                                       {"--dtype", "bf16", "--numeric-log", file("rounding.jsonl")}));
        QVERIFY2(result.exit_code == 0, result.err);
        const Json schema = Json::parse(std::ifstream(KINESCOPE_SOURCE_DIR "/resources/numeric_log.schema.json"));
        std::set<std::string> components;
        for (const Json& record : records_of(file("rounding.jsonl"))) {
            if (record.at("record") != "rounding") continue;
            QCOMPARE(schema_faults(schema, record), std::vector<std::string>{});
            QCOMPARE(record.at("dtype").get<std::string>(), std::string("bfloat16"));
            const double decibels = record.at("decibels").get<double>();
            QVERIFY2(decibels > 20 && decibels < 80, record.dump().c_str());
            components.insert(record.at("component").get<std::string>());
        }
        QVERIFY(components.contains("transformer"));
    }

    /// The problem is prevented, so it is not among the warnings of the JSON output either.
    void a_weight_that_keeps_its_type_is_no_warning() {
        const auto model = folder_.filePath("tiny values").toStdString();
        std::filesystem::copy(tiny_model().toStdString(), model, std::filesystem::copy_options::recursive);
        fill_tensor(model + "/vae/diffusion_pytorch_model.safetensors", "decoder.mid_block.resnets.0.conv1.bias",
                    1e-9F);
        const auto result = run_cli(generate_arguments(QString::fromStdString(model), file("tiny_values.mp4"),
                                                       {"--vae-dtype", "fp16", "--json"}));
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.err.contains("info: the bias of decoder.mid_block.resnets.0.conv1.weight keeps float32"),
                 result.err);
        QVERIFY2(!result.err.contains("warning:"), result.err);
        QVERIFY(Json::parse(result.out.toStdString()).at("warnings").empty());
    }

    /// Limits the memory to the planned memory plus 2 %. The peak is the resident memory reported by the kernel.
    void a_run_stays_within_its_limit() {
        if (kinescope::testing::kAddressSanitizer) QSKIP("AddressSanitizer keeps freed blocks.");
        const QStringList request{"--model", "builtin", "--prompt", "a red ball", "--device", "cpu", "--seed", "7"};
        const auto planned = run_cli(QStringList{"plan", "--json"} + request);
        QVERIFY2(planned.exit_code == 0, planned.err);
        const auto bytes = Json::parse(planned.out.toStdString()).at("peak_memory_bytes").get<std::int64_t>();
        // The program itself needs slightly different memory in each run.
        const auto allowed = bytes + bytes / 50;
        const auto made = run_cli(QStringList{"generate", "--json", "--quiet"} + request +
                                  QStringList{"--max-memory", QString::number(allowed), "--output", file("limit.mp4")});
        QVERIFY2(made.exit_code == 0, made.err);
        const Json result = Json::parse(made.out.toStdString());
        const auto peak = result.at("peak_memory_bytes").get<std::int64_t>();
        QVERIFY2(peak <= allowed + allowed / 10, std::to_string(peak).c_str());
        QVERIFY(result.at("planned_memory_bytes").get<std::int64_t>() <= allowed);
        QVERIFY(result.at("planned_memory_bytes").get<std::int64_t>() > peak * 8 / 10);
    }

    void a_continued_video_stays_within_its_plan() {
        if (kinescope::testing::kAddressSanitizer) QSKIP("AddressSanitizer keeps freed blocks.");
        const QStringList size{"--width", "64", "--height", "64"};
        const auto first = run_cli(generate_arguments("builtin", file("to_continue.mp4"), size));
        QVERIFY2(first.exit_code == 0, first.err);
        const QStringList more = size + QStringList{"--continue", file("to_continue.mp4"), "--json"};
        const auto both = run_cli(generate_arguments("builtin", file("continued.mp4"), more));
        QVERIFY2(both.exit_code == 0, both.err);
        const Json result = Json::parse(both.out.toStdString());
        const auto peak = result.at("peak_memory_bytes").get<std::int64_t>();
        const auto planned = result.at("planned_memory_bytes").get<std::int64_t>();
        QVERIFY2(peak <= planned + planned / 20, both.out);
        QVERIFY2(planned <= peak + peak / 5, both.out);
    }

    void the_video_plays() {
        const QString ffprobe = QStandardPaths::findExecutable("ffprobe");
        if (ffprobe.isEmpty()) QSKIP("ffprobe is not installed");
        QProcess probe;
        probe.start(ffprobe,
                    {"-v", "error", "-count_frames", "-show_entries",
                     "stream=codec_name,width,height,pix_fmt,nb_read_frames", "-of", "csv=p=0", file("a.mp4")});
        QVERIFY(probe.waitForFinished(60000));
        QCOMPARE(probe.readAllStandardOutput().trimmed(), QByteArray("h264,48,32,yuv420p,5"));
    }

    void the_same_seed_gives_the_same_bytes_of_frames() {
        QVERIFY(
            run_cli(generate_arguments(tiny_model(), file("b.mp4"), {"--frames", file("b.safetensors")})).exit_code ==
            0);
        QCOMPARE(bytes_of(file("b.safetensors")), written_bytes_of(file("a.safetensors")));
    }

    void another_seed_gives_other_frames() {
        QVERIFY(
            run_cli(generate_arguments(tiny_model(), file("c.mp4"), {"--seed", "8", "--frames", file("c.safetensors")}))
                .exit_code == 0);
        QVERIFY(written_bytes_of(file("c.safetensors")) != written_bytes_of(file("a.safetensors")));
    }

    void a_video_can_be_reproduced_from_its_settings() {
        const auto result = run_cli({"generate", "--request", file("a.mp4"), "--output", file("d.mp4"), "--frames",
                                     file("d.safetensors"), "--progress", "none"});
        QVERIFY2(result.exit_code == 0, result.err);
        QCOMPARE(bytes_of(file("d.safetensors")), written_bytes_of(file("a.safetensors")));
    }

    void a_video_does_not_name_its_outputs() {
        const QByteArray video = bytes_of(file("a.mp4"));
        QVERIFY(video.contains("num_inference_steps"));
        QVERIFY(!video.contains(folder_.path().toUtf8()));
        QVERIFY(!video.contains("a.safetensors"));
    }

    void inspect_shows_the_settings_of_a_video() {
        const auto result = run_cli({"inspect", file("a.mp4"), "--json"});
        QVERIFY2(result.exit_code == 0, result.err);
        const Json request = Json::parse(result.out.toStdString()).at("request");
        QCOMPARE(request.at("model").get<std::string>(), tiny_model().toStdString());
        QCOMPARE(request.at("seed").get<int>(), 7);
        const auto words = run_cli({"inspect", file("a.mp4")});
        QVERIFY2(words.out.contains("num_inference_steps"), words.out);
    }

    void other_commands_speak_json_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("key");
        QTest::newRow("devices") << QStringList{"devices"} << "devices";
        QTest::newRow("models") << QStringList{"models"} << "models";
        QTest::newRow("inspect") << QStringList{"inspect", tiny_model()} << "components";
        QTest::newRow("plan") << QStringList{"plan", "--model", tiny_model(), "--prompt", "a"} << "policy";
        QTest::newRow("verify") << QStringList{"verify", KINESCOPE_TEST_DATA "/wan_t2v"} << "cases";
        QTest::newRow("generate") << generate_arguments(tiny_model(), file("e.mp4"),
                                                        {"--num-frames", "1", "--steps", "1"})
                                  << "seconds_by_phase";
    }

    void other_commands_speak_json() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, key);
        const auto result = run_cli(arguments + QStringList{"--json"});
        QVERIFY2(result.exit_code == 0, result.err + result.out);
        QVERIFY2(Json::parse(result.out.toStdString()).contains(key.toStdString()), result.out);
    }

    void an_interrupt_stops_within_a_block_and_leaves_no_video() {
        QProcess process;
        stop_after_a_step(process, generate_arguments(tiny_model(), file("f.mp4"), kLongRun), SIGINT);
        QCOMPARE(process.exitCode(), 3);
        QVERIFY(process.readAllStandardOutput().contains("\"event\":\"cancelled\""));
        QVERIFY(!QFile::exists(file("f.mp4")));
    }

    void a_shutdown_keeps_the_job_which_can_be_decoded_or_discarded() {
        const QTemporaryDir state;
        const auto before = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_STATE_HOME", before); });
        qputenv("XDG_STATE_HOME", state.path().toUtf8());
        for (const int signal : {SIGTERM, SIGHUP}) {
            QProcess process;
            stop_after_a_step(process, generate_arguments(tiny_model(), file("g.mp4"), kLongRun), signal);
            QCOMPARE(process.exitCode(), 5);
            QVERIFY(!QFile::exists(file("g.mp4")));
        }
        const auto decoded = run_cli({"resume", "--last", "--decode-now", "--json", "--quiet"});
        QVERIFY2(decoded.exit_code == 0, decoded.err);
        const Json result = Json::parse(decoded.out.toStdString());
        QCOMPARE(result.at("status").get<std::string>(), std::string("stopped"));
        QVERIFY(result.at("stopped_after_step").get<int>() > 0);
        QVERIFY(QFile::exists(file("g.mp4")));
        QCOMPARE(run_cli({"resume", "--discard"}).exit_code, 0);
        QCOMPARE(run_cli({"resume", "--last"}).exit_code, 2);
    }

    /// What a shutdown cannot save is lost, and must not be called saved.
    void a_shutdown_reports_what_is_not_saved_data() {
        constexpr int kOnlyStepsFit = 45000;    // 57 KB of encoded prompt, 35 KB of a step
        QTest::addColumn<int>("largest_file");  // in bytes, which simulates a full disk; 0: no limit
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("no step fits") << 12288 << QByteArray("state") << QByteArray("none of them is saved");
        QTest::newRow("only steps fit") << kOnlyStepsFit << QByteArray("state") << QByteArray("none of them is saved");
        QTest::newRow("no jobs folder") << 0 << QByteArray("file/state") << QByteArray("the job is lost");
    }

    void a_shutdown_reports_what_is_not_saved() {
        QFETCH(int, largest_file);
        QFETCH(QByteArray, state);
        QFETCH(QByteArray, message);
        const QStringList kLongPrompt{"--max-sequence-length", "128"};
        const QTemporaryDir folder;
        QVERIFY(QFile(folder.filePath("file")).open(QIODevice::WriteOnly));
        const auto before = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_STATE_HOME", before); });
        qputenv("XDG_STATE_HOME", folder.filePath(QString::fromUtf8(state)).toUtf8());
        std::optional<SmallDisk> disk;  // also of the process, which inherits it
        if (largest_file > 0) disk.emplace(static_cast<rlim_t>(largest_file));
        QProcess process;
        stop_after_a_step(process, generate_arguments(tiny_model(), file("lost.mp4"), kLongRun + kLongPrompt), SIGTERM);
        const QByteArray told = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 1, told);
        QVERIFY2(told.contains(message), told);
        QVERIFY2(!told.contains("the job is saved"), told);
    }

    void a_job_that_another_program_runs_is_not_called_unknown() {
        const QTemporaryDir state;
        const auto before = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_STATE_HOME", before); });
        qputenv("XDG_STATE_HOME", state.path().toUtf8());
        QProcess process;
        process.start(cli_program(), generate_arguments(tiny_model(), file("runs.mp4"), kLongRun));
        wait_for_steps(process);
        const auto refused = run_cli({"resume", "1"});
        process.kill();
        process.waitForFinished();
        QCOMPARE(refused.exit_code, 2);
        QVERIFY2(refused.err.contains("another program is working on job 1"), refused.err);
        QVERIFY2(run_cli({"resume", "2"}).err.contains("there is no job '2'"), "");
    }

    void a_discarded_job_leaves_no_hidden_video() {
        const QTemporaryDir state;
        const auto before = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_STATE_HOME", before); });
        qputenv("XDG_STATE_HOME", state.path().toUtf8());
        QProcess process;
        process.start(cli_program(), generate_arguments(tiny_model(), state.filePath("gone.mp4"), kLongRun));
        wait_for_steps(process);
        process.kill();
        process.waitForFinished();
        const auto left = [&state] {
            return QDir(state.path()).entryList({"*gone*"}, QDir::Files | QDir::Hidden).join(' ');
        };
        QVERIFY(!left().isEmpty());
        QCOMPARE(run_cli({"resume", "--last", "--discard"}).exit_code, 0);
        QCOMPARE(left(), QString());
    }

    void a_job_with_a_damaged_file_is_discarded() {
        const QTemporaryDir state;
        const auto before = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_STATE_HOME", before); });
        qputenv("XDG_STATE_HOME", state.path().toUtf8());
        const QString folder = state.filePath("kinescope/jobs/1");
        QVERIFY(QDir().mkpath(folder));
        QFile damaged(folder + "/job.json");
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write("{\"format\": 1, \"state\": \"wai");
        damaged.close();
        const auto refused = run_cli({"resume", "1"});
        QVERIFY2(refused.err.contains("job.json is not usable"), refused.err);
        const auto discarded = run_cli({"resume", "1", "--discard"});
        QVERIFY2(discarded.exit_code == 0, discarded.err);
        QVERIFY(!QFile::exists(folder));
    }

    void a_job_whose_upscaler_is_damaged_becomes_a_video_without_it() {
        const QTemporaryDir state;
        const auto before = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_STATE_HOME", before); });
        qputenv("XDG_STATE_HOME", state.path().toUtf8());
        const QString upscaler = file("upscaler.safetensors");
        QVERIFY(QFile::copy(KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors", upscaler));
        QProcess process;
        stop_after_a_step(process,
                          generate_arguments(tiny_model(), file("plain.mp4"),
                                             QStringList(kLongRun) + QStringList{"--upscale", upscaler}),
                          SIGTERM);
        QCOMPARE(process.exitCode(), 5);
        QVERIFY(QFile::resize(upscaler, 200));
        const auto failed = run_cli({"resume", "--last"});
        QVERIFY(failed.exit_code != 0);
        QVERIFY2(failed.err.contains("kinescope-cli resume JOB --skip-finish"), failed.err);
        const auto made = run_cli({"resume", "--last", "--skip-finish", "--json", "--quiet"});
        QVERIFY2(made.exit_code == 0, made.err);
        const Json result = Json::parse(made.out.toStdString());
        QCOMPARE(result.at("status").get<std::string>(), std::string("completed"));
        QVERIFY2(result.at("warnings").dump().find("without its finish steps (--upscale ") != std::string::npos,
                 made.out);
        QVERIFY(QFile::exists(file("plain.mp4")));
    }

    void jobs_wait_until_their_model_is_back() {
        const QTemporaryDir state;
        const auto before = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_STATE_HOME", before); });
        qputenv("XDG_STATE_HOME", state.path().toUtf8());
        const QString model = state.filePath("model");
        const QString away = state.filePath("away");
        std::filesystem::copy(tiny_model().toStdString(), model.toStdString(),
                              std::filesystem::copy_options::recursive);
        QProcess process;
        const QStringList two_videos{"--seeds", "2"};
        stop_after_a_step(process, generate_arguments(model, file("wait.mp4"), kLongRun + two_videos), SIGTERM);
        QCOMPARE(process.exitCode(), 5);

        QVERIFY(QDir().rename(model, away));
        const auto failed = run_cli({"resume", "--all", "--quiet"});
        QVERIFY(failed.exit_code != 0);
        QVERIFY(QDir().rename(away, model));
        const auto made = run_cli({"resume", "--all", "--quiet"});
        QVERIFY2(made.exit_code == 0, made.err);
        QCOMPARE(made.out.count('\n'), 2);
    }

    void skip_finish_changes_only_the_named_job() {
        QVERIFY(run_cli(generate_arguments(tiny_model(), file("clip.mp4"), {})).exit_code == 0);
        const QTemporaryDir state;
        const auto before = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_STATE_HOME", before); });
        qputenv("XDG_STATE_HOME", state.path().toUtf8());
        const QStringList options = kLongRun + QStringList{"--continue", file("clip.mp4"), "--upscale",
                                                           KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors"};
        for (const char* video : {"one.mp4", "two.mp4"}) {
            QProcess process;
            stop_after_a_step(process, generate_arguments(tiny_model(), file(video), options), SIGTERM);
            QCOMPARE(process.exitCode(), 5);
        }
        const auto first_job = [&] { return bytes_of(state.filePath("kinescope/jobs/1/job.json")); };
        const QByteArray kept = first_job();
        QVERIFY(kept.contains("nearest_x2"));
        const auto made = run_cli({"resume", "2", "--skip-finish", "--quiet"});
        QVERIFY2(made.exit_code == 0, made.err);
        QVERIFY(QFile::exists(file("two.mp4")));
        QVERIFY(!QFile::exists(file("one.mp4")));
        QCOMPARE(first_job(), kept);
    }

    void a_killed_long_video_is_made_whole_by_resume() {
        const QTemporaryDir state;
        const auto before = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_STATE_HOME", before); });
        qputenv("XDG_STATE_HOME", state.path().toUtf8());
        const auto arguments = [&](const char* progress) {
            return generate_arguments("builtin", file("chain.mp4"),
                                      {"--next-prompt", "a red ball", "--num-frames", "9", "--steps", "20", "--width",
                                       "96", "--height", "64", "--progress", progress}) +
                   QStringList{"--next-prompt", "a white ball"};
        };
        const auto take_result = [&] {
            const QByteArray bytes = bytes_of(file("chain.mp4"));
            QFile::remove(file("chain.mp4"));
            return bytes;
        };
        QCOMPARE(run_cli(arguments("none")).exit_code, 0);
        const QByteArray whole = take_result();
        QVERIFY(!whole.isEmpty());

        // Within the first part, after it, and within each of the others.
        const std::pair<int, const char*> kills[] = {{1, "--all"}, {20, "--last"}, {25, "1"}, {45, "--all"}};
        for (const auto& [steps, choice] : kills) {
            QProcess process;
            process.start(cli_program(), arguments("json"));
            wait_for_steps(process, steps);
            process.kill();
            QVERIFY(process.waitForFinished(60000));
            QVERIFY(!QFile::exists(file("chain.mp4")));
            const auto resumed = run_cli({"resume", "--quiet", choice});
            QVERIFY2(resumed.exit_code == 0, resumed.err);
            QVERIFY(take_result() == whole);
        }
    }

    void the_settings_of_a_long_video_contain_all_prompts() {
        const auto made = run_cli(generate_arguments("builtin", file("first.mp4"), {"--next-prompt", "a red ball"}));
        QVERIFY2(made.exit_code == 0, made.err);
        const auto again = run_cli({"generate", "--request", file("first.mp4"), "-o", file("second.mp4"), "--quiet"});
        QVERIFY2(again.exit_code == 0, again.err);
        const QByteArray first = bytes_of(file("first.mp4"));
        QVERIFY(!first.isEmpty());
        QVERIFY(bytes_of(file("second.mp4")) == first);
    }

    /// The run is complete, but the video cannot be saved.
    void finished_steps_survive_a_missing_output_folder() {
        const QTemporaryDir state;
        const auto before = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_STATE_HOME", before); });
        qputenv("XDG_STATE_HOME", state.path().toUtf8());
        QVERIFY(QDir(folder_.path()).mkdir("out"));
        QProcess process;
        process.start(cli_program(),
                      generate_arguments(tiny_model(), file("out/h.mp4"), {"--steps", "60", "--progress", "json"}));
        wait_for_steps(process);
        QVERIFY(QDir(folder_.path()).rename("out", "moved"));
        QFile in_its_place(file("out"));
        QVERIFY(in_its_place.open(QIODevice::WriteOnly));
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(in_its_place.remove() && QDir(folder_.path()).rename("moved", "out"));
        const auto resumed = run_cli({"resume", "--last", "--quiet"});
        QVERIFY2(resumed.exit_code == 0, resumed.err);
        QCOMPARE(QDir(file("out")).entryList(QDir::Files | QDir::Hidden), QStringList{"h.mp4"});
    }
};

QTEST_GUILESS_MAIN(TestGenerate)
#include "test_generate.moc"
