#include <QFile>
#include <QTest>
#include <csignal>
#include <limits>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/exit_code.h"
#include "core/api/killed_reader.h"
#include "core/api/wrong_address.h"
#include "tests/app/command_line_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// How runs end: exit codes, signals, kept jobs, warnings.
class TestRunOutcomes : public CommandLineFixture {
    Q_OBJECT

private Q_SLOTS:
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

    void exit_codes_of_downloads_data() {
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("value");
        QTest::addColumn<int>("exit_code");
        QTest::newRow("network") << ""
                                 << "" << 1;
        QTest::newRow("damaged") << "sha256"
                                 << "0123" << 1;
        QTest::newRow("wrong address") << "cause" << kWrongAddress << 2;
    }
    void exit_codes_of_downloads() {
        QFETCH(QString, argument);
        QFETCH(QString, value);
        QFETCH(int, exit_code);
        std::map<std::string, std::string> arguments{{"url", "https://host/simple/torch/"}};
        if (!argument.isEmpty()) arguments[argument.toStdString()] = value.toStdString();
        const Error error(ErrorCode::file_unreadable, "Cannot download", "", arguments);
        QCOMPARE(int(cli::exit_code_of(error)), exit_code);
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
        QTest::newRow("truncated model") << int(ErrorCode::checkpoint_truncated) << 2;
        QTest::newRow("model without a tensor") << int(ErrorCode::missing_keys) << 2;
        QTest::newRow("damaged video") << int(ErrorCode::file_unreadable) << 2;
        QTest::newRow("damaged picture") << int(ErrorCode::image_unreadable) << 2;
        QTest::newRow("model changed during a run") << int(ErrorCode::file_changed) << 1;
        QTest::newRow("lost device") << int(ErrorCode::device_lost) << 1;
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

    /// The memory did not suffice, for example.
    void a_job_whose_reader_was_killed_is_kept() {
        StubScript script = working_script();
        const Error killed(ErrorCode::file_unreadable, "Cannot read a.png", "Try again.", {{"cause", kReaderKilled}});
        Job job;
        job.id = 1;
        job.state = JobState::failed;
        job.error = killed;
        script.jobs = {job};
        script.run = [&](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{killed}}; };
        const auto result = run_commands(script, {"generate", "--prompt", "a", "--json"});
        QCOMPARE(result.exit_code, 1);
        QVERIFY(script.removed.empty());
        QVERIFY2(result.out.find(R"("kept_job":1)") != std::string::npos, result.out.c_str());
    }

    void the_log_file_says_how_a_command_ended_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("line");
        const QStringList missing{"plan", "--model", "nowhere", "--prompt", "a"};
        const QStringList run{"generate", "--prompt", "a"};
        const auto row = [](const char* name, const QStringList& words, int signal, const char* line) {
            QTest::newRow(name) << words << signal << QByteArray(line);
        };
        row("error", missing, 0, "[error] error[file_not_found]: the model folder '");
        row("hint", missing, 0, "[error] hint: Check the path.\n");
        row("fault", run + QStringList{"--width", "wide"}, 0, "[error] error[bad_request]: --width must be a whole");
        row("cancelled", run, SIGINT, "[info] cancelled after 2 steps; no video was kept\n");
        row("stopped", run, SIGTERM, "[info] stopped after 2 steps; the job is saved");
    }
    void the_log_file_says_how_a_command_ended() {
        QFETCH(QStringList, words);
        QFETCH(int, signal);
        QFETCH(QByteArray, line);
        QFile log(folder_.filePath("messages.log"));
        log.remove();
        StubScript script = working_script();
        script.run = [signal](const VideoRequest&) {
            std::raise(signal);
            return std::vector<RunEvent>{};
        };
        Words arguments{"--log-file", log.fileName().toStdString(), "--quiet"};
        for (const QString& word : words) arguments.push_back(word.toStdString());
        const auto result = run_commands(script, arguments);
        QVERIFY(log.open(QIODevice::ReadOnly));
        const QByteArray text = log.readAll();
        QVERIFY2(text.contains(line), text + result.err.c_str());
        const QByteArray shown = line.mid(line.indexOf(' ') + 1);
        QVERIFY2(result.err.find(shown.toStdString()) != std::string::npos, result.err.c_str());
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
        QTest::newRow("SIGUSR1") << SIGUSR1;
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
        QVERIFY2(result.err.find("1 more job is waiting; kinescope-cli resume --all runs it") != std::string::npos,
                 result.err.c_str());
    }

    void an_interrupted_batch_reports_its_faulty_lines() {
        write(folder_.filePath("faulty.jsonl"), "{\"prompt\": \"one\"}\n{\"promt\": \"two\"}\n");
        StubScript script = working_script();
        script.run = [](const VideoRequest&) {
            std::raise(SIGTERM);
            return std::vector<RunEvent>{};
        };
        const auto result = run_commands(script, {"generate", "--batch", "faulty.jsonl", "--quiet"});
        QCOMPARE(result.exit_code, 5);
        QVERIFY2(result.err.find("line 2: ") < result.err.find("stopped after"), result.err.c_str());
        QVERIFY2(result.err.find("not queued") == std::string::npos, result.err.c_str());
    }

    /// A closed terminal sends SIGHUP twice, and the end of a session SIGTERM and SIGHUP.
    void further_signals_do_not_end_the_program_data() {
        QTest::addColumn<int>("first");
        QTest::newRow("closed terminal") << SIGHUP;
        QTest::newRow("end of a session") << SIGTERM;
        QTest::newRow("end of a task's time") << SIGUSR1;
    }
    void further_signals_do_not_end_the_program() {
        QFETCH(int, first);
        StubScript script = working_script();
        script.run = [first](const VideoRequest&) {
            for (const int signal : {first, SIGHUP, SIGTERM, SIGHUP}) std::raise(signal);
            return std::vector<RunEvent>{};
        };
        const auto result = run_commands(script, {"generate", "--prompt", "a", "--quiet"});
        std::raise(SIGHUP);  // while the program ends
        QCOMPARE(result.exit_code, 5);
        QCOMPARE(script.suspended, std::vector<JobId>{1});
    }

    void signals_that_the_caller_ignores_stay_ignored_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("nohup") << SIGHUP;
        QTest::newRow("command in the background") << SIGINT;
    }
    void signals_that_the_caller_ignores_stay_ignored() {
        QFETCH(int, signal);
        std::signal(signal, SIG_IGN);
        StubScript script = working_script();
        script.run = [signal](const VideoRequest& request) {
            std::raise(signal);
            return finish_at_once(request);
        };
        const auto result = run_commands(script, {"generate", "--prompt", "a", "--quiet"});
        QCOMPARE(result.exit_code, 0);
        QVERIFY(std::signal(signal, SIG_DFL) == SIG_IGN);
        QVERIFY(script.suspended.empty());
    }

    void a_suspended_job_that_is_not_saved_is_a_failure_data() {
        using Arguments = std::map<std::string, std::string>;
        QTest::addColumn<Arguments>("arguments");
        QTest::addColumn<QString>("message");
        QTest::newRow("only earlier steps are saved")
            << Arguments{{"saved_steps", "1"}}
            << "stopped after 2 steps; saved only up to step 1: kinescope-cli resume 1 continues there";
        QTest::newRow("no step is saved")
            << Arguments{{"saved_steps", "0"}} << "none of them is saved: kinescope-cli resume 1 starts again";
        QTest::newRow("the job is not saved") << Arguments{} << "the job is lost, because it is not saved";
    }
    void a_suspended_job_that_is_not_saved_is_a_failure() {
        using Arguments = std::map<std::string, std::string>;
        QFETCH(Arguments, arguments);
        QFETCH(QString, message);
        StubScript script = working_script();
        script.jobs = {Job{.id = 1,
                           .state = JobState::paused,
                           .step = 2,
                           .error = Error(ErrorCode::disk_full, "the disk is full", "", arguments)}};
        script.run = [](const VideoRequest&) {
            std::raise(SIGTERM);
            return std::vector<RunEvent>{};
        };
        const auto result = run_commands(script, {"generate", "--prompt", "a", "--quiet", "--json"});
        QCOMPARE(result.exit_code, 1);
        QVERIFY2(result.err.find(message.toStdString()) != std::string::npos, result.err.c_str());
        QVERIFY2(result.err.find("the disk is full") != std::string::npos, result.err.c_str());
        const Json document = Json::parse(result.out);
        QCOMPARE(document.at("error").at("code").get<std::string>(), std::string("disk_full"));
        QCOMPARE(document.contains("kept_job"), !arguments.empty());
        QCOMPARE(script.removed.empty(), !arguments.empty());
    }

    void a_failed_job_is_kept_even_without_its_steps_data() {
        using Arguments = std::map<std::string, std::string>;
        QTest::addColumn<int>("step");
        QTest::addColumn<Arguments>("arguments");
        QTest::addColumn<bool>("is_kept");
        QTest::addColumn<QString>("warning");
        const QString lost = "the 2 finished steps are lost, because they could not be saved";
        QTest::newRow("no step") << 0 << Arguments{} << false << "";
        QTest::newRow("all steps are saved") << 2 << Arguments{} << true << "";
        QTest::newRow("only earlier steps are saved") << 2 << Arguments{{"saved_steps", "1"}} << true << "";
        QTest::newRow("no step is saved") << 2 << Arguments{{"saved_steps", "0"}} << true << lost;
        QTest::newRow("the job is not saved")
            << 2 << Arguments{{"saved_steps", "0"}, {"saved_job", "no"}} << false << lost;
    }
    void a_failed_job_is_kept_even_without_its_steps() {
        using Arguments = std::map<std::string, std::string>;
        QFETCH(int, step);
        QFETCH(Arguments, arguments);
        QFETCH(bool, is_kept);
        QFETCH(QString, warning);
        const Error error(ErrorCode::disk_full, "the disk is full", "", arguments);
        StubScript script = working_script();
        script.jobs = {Job{.id = 1, .state = JobState::failed, .step = step, .num_steps = 8, .error = error}};
        script.run = [&error](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{error}}; };
        const auto result = run_commands(script, {"generate", "--prompt", "a", "--json"});
        QCOMPARE(result.exit_code, 1);
        const Json document = Json::parse(result.out);
        QCOMPARE(document.contains("kept_job"), is_kept);
        QCOMPARE(script.removed.empty(), is_kept);
        QVERIFY(document.at("warnings") == (warning.isEmpty() ? Json::array() : Json({warning.toStdString()})));
    }

    void an_announcement_after_the_run_does_not_end_the_process() {
        StubScript script = working_script();
        script.run = [](const VideoRequest&) {
            std::raise(SIGUSR1);
            return std::vector<RunEvent>{};
        };
        QCOMPARE(run_commands(script, {"generate", "--prompt", "a", "--quiet"}).exit_code, 5);
        std::raise(SIGUSR1);
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

    /// Some faults of a model show only while its weights are loaded, after the run has started.
    void input_that_proves_wrong_before_the_first_step_is_a_bad_request() {
        StubScript script = working_script();
        const Error error(ErrorCode::missing_keys, "a tensor is missing", "");
        std::vector<RunEvent> events;
        script.run = [&](const VideoRequest& request) {
            events.insert(events.begin(), RunStarted{request, small_card(), {}});
            events.emplace_back(RunFailed{error});
            return events;
        };
        QCOMPARE(run_commands(script, {"generate", "--prompt", "a"}).exit_code, 2);
        events = {StepCompleted()};
        QCOMPARE(run_commands(script, {"generate", "--prompt", "a"}).exit_code, 1);
    }

    void options_are_named_as_they_are_typed() {
        StubScript script = working_script();
        const Error error(ErrorCode::bad_request,
                          "video: contains 9 frames of video, and num_frames is 17\nstrength is 2", "",
                          {{"num_frames", ""}, {"strength", ""}});
        script.run = [&](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{error}}; };
        const auto result = run_commands(script, {"generate", "--prompt", "a"});
        QVERIFY2(result.err.find("--video: contains 9 frames of video, and --num-frames is 17\n") != std::string::npos,
                 result.err.c_str());
        QVERIFY2(result.err.find("--strength is 2") != std::string::npos, result.err.c_str());
        write(folder_.filePath("a.json"), R"({"prompt": "a", "num_inference_steps": 0})");
        const auto from_file = run_commands(script, {"generate", "--request", "a.json", "--guidance-scale", "-1"});
        QVERIFY2(from_file.err.find("num_inference_steps must be") != std::string::npos, from_file.err.c_str());
        QVERIFY2(from_file.err.find("--num-inference") == std::string::npos, from_file.err.c_str());
        QVERIFY2(from_file.err.find("--guidance-scale must be") != std::string::npos, from_file.err.c_str());
    }

    void only_names_of_fields_are_replaced_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, ErrorCode code, const char* message, const char* words) {
            QTest::newRow(name) << int(code) << message << words;
        };
        row("a model named like a field", ErrorCode::bad_request, "model makes video from an image; image is required",
            "]: model makes video from an image; --image is required\n");
        row("to be left out", ErrorCode::bad_request, "model does not support a last frame; leave last_image out",
            "]: model does not support a last frame; leave --last-image out\n");
        row("without another", ErrorCode::bad_request, "control is set without video; it makes the control video",
            "control is set without --video; it makes the control video\n");
        row("a file", ErrorCode::bad_request, "cannot read num_frames.mp4", "cannot read num_frames.mp4\n");
        row("memory", ErrorCode::out_of_memory, "max_memory is 1 B", "]: --max-memory is 1 B\n");
        row("a component", ErrorCode::unsupported, "text_encoder is too old", "]: text_encoder is too old\n");
        row("a key of a file", ErrorCode::bad_config, "max_sequence_length is 0", "]: max_sequence_length is 0\n");
    }
    void only_names_of_fields_are_replaced() {
        QFETCH(int, code);
        QFETCH(QString, message);
        QFETCH(QString, words);
        StubScript script = working_script();
        const Error error(static_cast<ErrorCode>(code), message.toStdString());
        script.run = [&](const VideoRequest&) {
            return std::vector<RunEvent>{LogLine{LogLineLevel::note, "flow_shift has no effect"}, RunFailed{error}};
        };
        const auto result = run_commands(script, {"generate", "--prompt", "a", "--json"});
        QVERIFY2(result.err.find(words.toStdString()) != std::string::npos, result.err.c_str());
        QVERIFY(Json::parse(result.out).at("notes") == Json({"--flow-shift has no effect"}));
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
        QTest::addColumn<int>("exit_code");
        QTest::newRow("output folder gone") << int(ErrorCode::output_not_writable) << 1;
        QTest::newRow("model disk gone") << int(ErrorCode::file_not_found) << 1;
        QTest::newRow("NaN") << int(ErrorCode::not_finite) << 4;
        QTest::newRow("disk full") << int(ErrorCode::disk_full) << 1;
    }
    void a_failed_job_with_a_finished_step_is_kept() {
        QFETCH(int, code);
        QFETCH(int, exit_code);
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
        QCOMPARE(result.exit_code, exit_code);
        QVERIFY(script.removed.empty());
        QVERIFY(Json::parse(result.out).at("kept_job") == Json(1));
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
            events.insert(events.begin() + 1, LogLine{LogLineLevel::warning, "the disk is full"});
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
            events.insert(events.begin() + 1, LogLine{LogLineLevel::note, "good to know"});
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

    void progress_as_json_lines_data() {
        QTest::addColumn<QStringList>("format");
        QTest::newRow("with --json") << QStringList{"--json"};
        QTest::newRow("without --json") << QStringList{};
        QTest::newRow("with --quiet") << QStringList{"--quiet"};  // hides only messages
    }
    void progress_as_json_lines() {
        QFETCH(QStringList, format);
        StubScript script = working_script();
        script.run = [](const VideoRequest& request) {
            StepCompleted step{0, 1, 999, 1, 0.5, {}, {}, {}, 0, 0};
            step.latents.max_abs = std::numeric_limits<double>::infinity();
            std::vector<RunEvent> events = finish_at_once(request);
            events.insert(
                events.begin() + 1,
                {PhaseStarted{Phase::denoise, 1}, PhaseProgress{Phase::denoise, 1, 1, 0.5}, step, PreviewReady{},
                 NumericsReady{{NumericSample{}}}, GuardActed{}, LogLine{LogLineLevel::info, "hello"}});
            return events;
        };
        Words words{"generate", "--prompt", "a", "--progress", "json"};
        for (const QString& word : format) words.push_back(word.toStdString());
        const auto result = run_commands(script, words);
        QCOMPARE(result.exit_code, 0);
        std::istringstream lines(result.out);
        Words names;
        for (std::string line; std::getline(lines, line);) {
            const Json event = Json::parse(line);
            names.push_back(event.at("event").get<std::string>());
            QVERIFY(event.at("job") == Json(1));
            if (names.back() == "step") QVERIFY(event.at("latents").at("max_abs") == Json("inf"));
            if (names.back() == "finished") QVERIFY(event.at("seed") == Json(*script.submitted.at(0).seed));
        }
        QCOMPARE(names,
                 (Words{"started", "phase", "progress", "step", "preview", "numerics", "guard", "log", "finished"}));
    }

    void a_finished_copy_ends_with_an_event_data() { progress_as_json_lines_data(); }
    void a_finished_copy_ends_with_an_event() {
        QFETCH(QStringList, format);
        StubScript script = working_script();
        Words words{"finish", "a.mp4", "--upscale", "x.pth", "-o", "b.mp4", "--progress", "json"};
        for (const QString& word : format) words.push_back(word.toStdString());
        const auto result = run_commands(script, words);
        QCOMPARE(result.exit_code, 0);
        std::istringstream lines(result.out);
        Words names;
        for (std::string line; std::getline(lines, line);) {
            const Json event = Json::parse(line);
            names.push_back(event.at("event").get<std::string>());
            if (names.back() == "finished") QCOMPARE(event.at("output").get<std::string>(), std::string("b.mp4"));
        }
        QCOMPARE(names, (Words{"finish", "finished"}));
    }

    void a_job_that_was_already_finished_ends_with_an_event() {
        StubScript script = working_script();
        script.jobs = {Job{.id = 3, .state = JobState::finished, .output = "clip.mp4"}};
        const Json event = Json::parse(run_commands(script, {"resume", "--last", "--progress", "json"}).out);
        QCOMPARE(event.at("event").get<std::string>(), std::string("finished"));
        QCOMPARE(event.at("output").get<std::string>(), std::string("clip.mp4"));
    }
};

QTEST_GUILESS_MAIN(TestRunOutcomes)
#include "test_run_outcomes.moc"
