// Texts that go to Slurm's commands and come back from them. No test of this file needs Slurm.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/cluster/shell_text.h"
#include "core/cluster/slurm_commands.h"
#include "core/cluster/task_memory.h"

using namespace kinescope;
using namespace kinescope::cluster;

namespace {

using Words = std::vector<std::string>;

const char* const kHostile[] = {"plain",
                                "two words",
                                "it's",
                                "''",
                                "a\nb",
                                "\n#SBATCH --uid=0\n",
                                "$(touch /tmp/x) `id` $HOME ${PATH}",
                                "a;b|c&d>e<f",
                                "\"double\" \\back\\",
                                "-n",
                                "*?[a-z]{1,2}~",
                                "",
                                "\xE6\x96\x87\xE4\xBB\xB6 \xF0\x9F\x8E\xAC"};

/// The jobs of `squeue --json` with these members each.
std::string queue_of(const std::string& jobs) {
    return "{\"meta\": {}, \"errors\": [], \"jobs\": [" + jobs + "]}";
}

SlurmTask only_task(const std::string& job) {
    return parse_squeue(queue_of(job), "k-").find("7", 3).value_or(SlurmTask{.state = "absent"});
}

}  // namespace

class TestSlurmTexts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_shell_reads_a_quoted_text_as_one_word() {
        for (const char* text : kHostile) {
            QProcess shell;
            shell.start("/bin/sh", {"-c", QString::fromStdString("printf '[%s]' " + shell_quoted(text))});
            QVERIFY(shell.waitForFinished());
            QCOMPARE(shell.readAllStandardOutput(), QByteArray("[") + text + "]");
        }
    }

    /// Runs the script on a folder whose name is hostile, with a program that prints its arguments.
    void the_script_starts_the_program_in_any_folder() {
        for (const char* name : kHostile) {
            if (std::string(name).empty()) continue;
            const QTemporaryDir dir;
            const std::filesystem::path folder = std::filesystem::path(dir.path().toStdString()) / name;
            const std::filesystem::path program = folder / "print it's";
            std::filesystem::create_directories(folder / "logs");
            std::ofstream(folder / "batch.json") << "{}";
            std::ofstream(program) << "#!/bin/sh\nfor word; do echo \"<$word>\"; done\n";
            std::filesystem::permissions(program, std::filesystem::perms::owner_all);
            std::ofstream(folder / "run.sh") << script_text({.folder = folder, .program = program, .submission = 2});
            QProcess shell;
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert("SLURM_ARRAY_TASK_ID", "5");
            shell.setProcessEnvironment(environment);
            shell.start("/bin/sh", {QString::fromStdString((folder / "run.sh").string())});
            QVERIFY(shell.waitForFinished());
            QCOMPARE(shell.exitCode(), 0);
            std::ifstream log(folder / "logs/2-5.log");
            std::stringstream text;
            text << log.rdbuf();
            QCOMPARE(text.str(), std::string("<cluster>\n<run-task>\n<.>\n<--submission>\n<2>\n<--index>\n<5>\n"));
        }
    }

    void the_script_tells_why_it_cannot_start() {
        const QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        const auto exit_code = [&] {
            std::ofstream(folder / "run.sh") << script_text({.folder = folder, .program = "/nowhere/kinescope-cli"});
            QProcess shell;
            shell.start("/bin/sh", {QString::fromStdString((folder / "run.sh").string())});
            return shell.waitForFinished() ? shell.exitCode() : -1;
        };
        QCOMPARE(exit_code(), kFolderNotVisible);
        std::ofstream(folder / "batch.json") << "{}";
        QCOMPARE(exit_code(), kLogNotWritable);
        std::filesystem::create_directory(folder / "logs");
        QCOMPARE(exit_code(), kProgramMissing);
    }

    void time_limits() {
        const std::pair<const char*, std::optional<std::int64_t>> table[] = {{"90", 5400},
                                                                             {"10:30", 630},
                                                                             {"1:30:00", 5400},
                                                                             {"2-12", 216000},
                                                                             {"2-12:30", 217800},
                                                                             {"2-12:30:05", 217805},
                                                                             {"UNLIMITED", 0},
                                                                             {"-1", 0},
                                                                             {"0", 0},
                                                                             {"", std::nullopt},
                                                                             {"1h", std::nullopt},
                                                                             {"1:2:3:4", std::nullopt},
                                                                             {"1-", std::nullopt},
                                                                             {"-", std::nullopt},
                                                                             {"1-2-3", std::nullopt},
                                                                             {"1 ", std::nullopt},
                                                                             {"99999999999", std::nullopt}};
        for (const auto& [text, seconds] : table) QVERIFY2(time_limit_seconds(text) == seconds, text);
    }

    void the_warning_before_the_limit() {
        QCOMPARE(seconds_before_limit(0), 60);
        QCOMPARE(seconds_before_limit(60), 10);
        QCOMPARE(seconds_before_limit(600), 60);
        QCOMPARE(seconds_before_limit(86400), 120);
    }

    void the_command_of_a_submission() {
        SlurmOptions options;
        QCOMPARE(sbatch_command(options, {.name = "k-1", .num_tasks = 3, .script = "/s/1.sh"}),
                 (Words{"sbatch", "--parsable", "--requeue", "--chdir=/", "--output=/dev/null", "--array=1-3",
                        "--job-name=k-1", "--signal=B:USR1@60", "/s/1.sh"}));
        options = {.partition = "a b;c",
                   .gres = "gpu:1",
                   .time_limit = "1:00:00",
                   .account = "x",
                   .memory_bytes = (std::int64_t{1} << 30) + 1,
                   .cpus = 4,
                   .max_running = 5,
                   .program = {},
                   .more = {"--constraint=a100"}};
        QCOMPARE(sbatch_command(options, {.name = "k-1", .num_tasks = 3, .script = "/s/1.sh"}),
                 (Words{"sbatch", "--parsable", "--requeue", "--chdir=/", "--output=/dev/null", "--array=1-3%5",
                        "--job-name=k-1", "--partition=a b;c", "--gres=gpu:1", "--account=x", "--cpus-per-task=4",
                        "--mem=1025M", "--time=1:00:00", "--signal=B:USR1@120", "--constraint=a100", "/s/1.sh"}));
        options.time_limit = "soon";
        QVERIFY_THROWS_EXCEPTION(Error, sbatch_command(options, {.name = "k", .num_tasks = 1, .script = "/s"}));
    }

    /// Kinescope would not find its tasks in Slurm's queue, and submit them again.
    void options_that_only_kinescope_sets_are_refused() {
        const auto command = [](const std::string& word) {
            return sbatch_command({.more = {"--qos=high", word}}, {.name = "k", .num_tasks = 1, .script = "/s"});
        };
        for (const char* word : {"--job-name=x", "--job=x", "--job-name", "-J", "-Jx", "--array=1-9", "-a1", "--wait",
                                 "-W", "--clusters=b", "-Mb", "--wrap=ls", "--test-only"}) {
            try {
                command(word);
                QFAIL(word);
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::bad_usage);
                QVERIFY(error.message().starts_with("'" + std::string(word) + "'"));
            }
        }
        for (const char* word :
             {"--constraint=a100", "--wait-all-nodes=1", "--account=x", "-C", "a100", "--mem-per-cpu=1G"})
            QVERIFY2(std::ranges::count(command(word), word) == 1, word);
    }

    void options_round_trip() {
        const SlurmOptions options{.partition = "p",
                                   .gres = "gpu:1",
                                   .time_limit = "9",
                                   .account = "a",
                                   .memory_bytes = 7,
                                   .cpus = 2,
                                   .max_running = 3,
                                   .program = "/x/y",
                                   .more = {"--qos=high"}};
        QVERIFY(slurm_options_from(to_json(options)) == options);
        QVERIFY_THROWS_EXCEPTION(JsonError, slurm_options_from(Json::object()));
    }

    void memory_of_a_task() {
        constexpr std::int64_t kGiB = std::int64_t{1} << 30;
        QCOMPARE(task_memory_bytes(0), kGiB);
        QCOMPARE(task_memory_bytes(4 * kGiB), 6 * kGiB);
        QCOMPARE(task_memory_bytes(4 * kGiB + 1), 6 * kGiB + kGiB / 4);
    }

    void indices_of_an_array() {
        const std::pair<const char*, std::vector<int>> table[] = {
            {"5", {5}}, {"1-3", {1, 2, 3}}, {"1,4-5", {1, 4, 5}}, {"0-6:3%2", {0, 3, 6}}, {"[2-3]", {2, 3}},
            {"", {}},   {"x", {}},          {"3-1", {}},          {"1-3:0", {1, 2, 3}}};
        for (const auto& [text, indices] : table) {
            bool is_cut = true;
            QVERIFY2(array_indices(text, is_cut) == indices, text);
            QVERIFY(!is_cut);
        }
        bool is_cut = false;
        QVERIFY((array_indices("1,3,...", is_cut) == std::vector{1, 3}));
        QVERIFY(is_cut);
        QCOMPARE(array_indices("1-999999999", is_cut).size(), std::size_t{100'000});
    }

    /// As slurm 22.05.8 answered: numbers, null, the status of wait(2).
    void the_queue_of_slurm_22_05() {
        const SqueueAnswer answer =
            parse_squeue(queue_of(R"({"job_id": 8, "array_job_id": 7, "array_task_id": 3, "array_task_string": "",
                         "job_state": "CANCELLED", "state_reason": "None", "exit_code": 9, "name": "k-1",
                         "nodes": "n1", "batch_host": "n1"},
                        {"job_id": 7, "array_job_id": 7, "array_task_id": null, "array_task_string": "4-5",
                         "job_state": "PENDING", "state_reason": "Resources", "exit_code": 0, "name": "k-1",
                         "nodes": ""},
                        {"job_id": 9, "array_job_id": 9, "array_task_id": 3, "job_state": "RUNNING",
                         "name": "someone-else"})"),
                         "k-");
        QVERIFY(answer.find("7", 3) == (SlurmTask{.state = "CANCELLED", .reason = "", .nodes = "n1", .signal = 9}));
        QVERIFY(answer.find("7", 4) == (SlurmTask{.state = "PENDING", .reason = "Resources", .nodes = ""}));
        QVERIFY(answer.find("7", 5));
        QVERIFY(!answer.find("7", 6));
        QVERIFY(!answer.find("9", 3));
        QCOMPARE(answer.job_named("k-1"), std::string("7"));
        QCOMPARE(answer.job_named("k-2"), std::string());
    }

    /// As slurm 23.11 and later answer: objects for numbers, lists for states.
    void the_queue_of_slurm_23_11() {
        QVERIFY(only_task(R"({"name": "k-1",
                              "array_job_id": {"set": true, "infinite": false, "number": 7},
                              "array_task_id": {"set": true, "infinite": false, "number": 3},
                              "job_state": ["FAILED", "REQUEUED"],
                              "state_reason": "NonZeroExitCode",
                              "exit_code": {"status": ["ERROR"],
                                            "return_code": {"set": true, "infinite": false, "number": 66},
                                            "signal": {"id": {"set": false, "infinite": false, "number": 0}}},
                              "nodes": "n2"})") ==
                (SlurmTask{.state = "FAILED", .reason = "NonZeroExitCode", .nodes = "n2", .exit_code = 66}));
    }

    void missing_and_strange_fields_are_tolerated() {
        QCOMPARE(only_task(R"({"name": "k-1", "job_id": 7, "array_task_id": 3})").state, std::string());
        QCOMPARE(only_task(R"({"name": "k-1", "array_job_id": "7", "array_task_id": "3", "job_state": 5})").state,
                 std::string());
        QCOMPARE(only_task(R"({"array_job_id": 7, "array_task_id": 3})").state, std::string("absent"));
        QCOMPARE(only_task(R"(5, null, "x", [], {"name": "k-1"})").state, std::string("absent"));
    }

    void a_cut_list_stands_for_all_other_tasks() {
        const auto answer = parse_squeue(queue_of(R"({"name": "k-1", "array_job_id": 7, "job_state": "PENDING",
                                                      "array_task_string": "1,3,..."})"),
                                         "k-");
        QCOMPARE(answer.find("7", 900)->state, std::string("PENDING"));
        QVERIFY(!answer.find("8", 900));
    }

    void other_documents_are_refused() {
        for (const char* text : {"", "{}", "[]", "{\"jobs\": 3}", "slurm_load_jobs error", "{\"jobs\": ["})
            QVERIFY_THROWS_EXCEPTION(JsonError, parse_squeue(text, ""));
    }

    void phases_of_states() {
        QVERIFY(phase_of("PENDING") == SlurmPhase::pending && phase_of("REQUEUE_HOLD") == SlurmPhase::pending);
        QVERIFY(phase_of("RUNNING") == SlurmPhase::running && phase_of("COMPLETING") == SlurmPhase::running);
        for (const char* state : {"COMPLETED", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "", "SOMETHING_NEW"})
            QVERIFY2(phase_of(state) == SlurmPhase::ended, state);
    }

    void a_refusal_is_for_good_only_because_of_the_options_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("options");
        QTest::newRow("partition") << "Invalid partition name specified"
                                   << "--partition";
        QTest::newRow("time") << "Requested time limit is invalid"
                              << "--time";
        QTest::newRow("account") << "Invalid account or account/partition combination specified"
                                 << "--account";
        QTest::newRow("gres") << "Invalid generic resource (gres) specification"
                              << "--gres";
        QTest::newRow("memory") << "Memory specification can not be satisfied"
                                << "--partition, --mem, --cpus or --gres";
        QTest::newRow("partition drains") << "Required partition not available (inactive or drain)"
                                          << "";
        QTest::newRow("controller") << "Slurm backup controller in standby mode"
                                    << "";
        QTest::newRow("storage") << "Unable to open file /shared/task.sh"
                                 << "";
        QTest::newRow("quota") << "Job violates accounting/QOS policy"
                               << "";
    }

    void a_refusal_is_for_good_only_because_of_the_options() {
        QFETCH(QString, said);
        QFETCH(QString, options);
        const Error error =
            refusal({.output = {}, .errors = said.toStdString(), .exit_code = 1}, {.partition = "gpus"});
        QCOMPARE(QString::fromStdString(error.argument(kRefusedOptions)), options);
    }

    void refusals_are_explained() {
        const SlurmOptions options{.partition = "gpus", .gres = "gpu:9", .time_limit = "9-0", .account = "acc"};
        const std::tuple<const char*, ErrorCode, const char*> table[] = {
            {"sbatch: error: invalid partition specified: gpus\nsbatch: error: Batch job submission failed: Invalid "
             "partition name specified\n",
             ErrorCode::bad_usage, "the partition 'gpus' does not exist"},
            {"Batch job submission failed: Requested partition configuration not available now", ErrorCode::bad_usage,
             "the partition 'gpus'"},
            {"Batch job submission failed: Invalid account or account/partition combination specified",
             ErrorCode::bad_usage, "the account 'acc'"},
            {"Batch job submission failed: Requested node configuration is not available", ErrorCode::bad_usage,
             "no node of the partition"},
            {"Batch job submission failed: Memory specification can not be satisfied", ErrorCode::bad_usage,
             "no node of the partition"},
            {"Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)",
             ErrorCode::bad_usage, "the time limit '9-0'"},
            {"Batch job submission failed: Invalid generic resource (gres) specification", ErrorCode::bad_usage,
             "the cluster has no 'gpu:9'"},
            {"Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or "
             "time limits)",
             ErrorCode::bad_usage, "quota"},
            {"error: AssocMaxSubmitJobLimit", ErrorCode::bad_usage, "quota"},
            {"Batch job submission failed: Invalid job array specification", ErrorCode::bad_usage, "array"},
            {"Batch job submission failed: Unable to contact slurm controller (connect failure)",
             ErrorCode::engine_lost, "does not reach"},
            {"error: Munge encode failed: Failed to access \"/run/munge\"", ErrorCode::engine_lost,
             "could not prove who you are"},
            {"Batch job submission failed: Protocol authentication error", ErrorCode::engine_lost,
             "could not prove who you are"},
            {"something else", ErrorCode::bad_usage, "something else"},
            {"", ErrorCode::bad_usage, "no reason given"}};
        for (const auto& [said, code, part] : table) {
            const Error error = refusal({.output = {}, .errors = said, .exit_code = 1}, options);
            QVERIFY2(error.code() == code && error.message().find(part) != std::string::npos, error.message().c_str());
            QVERIFY(!error.hint().empty() && error.message().find("sbatch: error") == std::string::npos);
        }
    }

    void a_missing_program_is_named() {
        qputenv("PATH", "/nowhere");
        try {
            run_command({"sbatch"});
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::unsupported);
            QVERIFY(error.message().find("'sbatch' was not found") != std::string::npos);
        }
    }

    void a_command_returns_both_streams() {
        qputenv("PATH", "/usr/bin:/bin");
        const CommandEnd end = run_command({"sh", "-c", "echo out; echo err >&2; exit 3"});
        QCOMPARE(end.output, std::string("out\n"));
        QCOMPARE(end.errors, std::string("err\n"));
        QCOMPARE(end.exit_code, 3);
    }

    /// Wrappers of Slurm's commands start programs that outlive them and keep the streams open.
    void a_command_ends_although_its_child_holds_the_streams_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<int>("exit_code");
        QTest::newRow("success") << "sleep 1000 & echo $!" << 60.0 << 0;
        QTest::newRow("failure") << "sleep 1000 & echo $!; exit 3" << 60.0 << 3;
        QTest::newRow("time limit") << "sleep 1000 & echo $!; wait" << 0.5 << -1;
        QTest::newRow("endless messages") << "yes >&2 & echo $!" << 60.0 << 0;
    }
    void a_command_ends_although_its_child_holds_the_streams() {
        QFETCH(QString, script);
        QFETCH(double, seconds);
        qputenv("PATH", "/usr/bin:/bin");
        const CommandEnd end = run_command_within(seconds, {"sh", "-c", script.toStdString()});
        QProcess::execute("kill", {QString::fromStdString(end.output).trimmed()});
        QVERIFY(!end.output.empty());
        QTEST(end.exit_code, "exit_code");
    }

    void an_endless_answer_of_squeue_is_an_error() {
        const QTemporaryDir folder;
        const QString squeue = folder.filePath("squeue");
        QFile script(squeue);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\nhead -c 300000000 /dev/zero\n");
        script.close();
        QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        qputenv("PATH", folder.path().toLocal8Bit() + ":/usr/bin:/bin");
        try {
            ask_queue(run_command, "kinescope-");
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::engine_lost);
            QCOMPARE(error.message(), std::string("squeue printed more than 256.0 MiB"));
        }
    }

    void long_error_messages_are_cut_and_do_not_stop_a_command() {
        qputenv("PATH", "/usr/bin:/bin");
        const CommandEnd end = run_command({"sh", "-c", "head -c 1000000 /dev/zero >&2; echo done"});
        QCOMPARE(end.exit_code, 0);
        QCOMPARE(end.output, std::string("done\n"));
        QCOMPARE(end.errors.size(), std::size_t{65536});
    }
};

QTEST_GUILESS_MAIN(TestSlurmTexts)
#include "test_slurm_texts.moc"
