#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "app/cli/exit_code.h"
#include "app/cli/output_name.h"
#include "core/api/steps_of_other_setup.h"
#include "core/base/logging.h"
#include "core/cluster/batch_folder.h"
#include "core/cluster/import_result.h"
#include "tests/app/command_line_fixture.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::testing;
namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

/// Changes an environment variable during its lifetime.
class ChangedVariable {
public:
    ChangedVariable(const char* name, const std::string& value) : name_(name), before_(qgetenv(name)) {
        qputenv(name, value.c_str());
    }
    ~ChangedVariable() { qputenv(name_, before_); }
    ChangedVariable(const ChangedVariable&) = delete;
    ChangedVariable& operator=(const ChangedVariable&) = delete;

private:
    const char* name_;
    QByteArray before_;
};

/// Shell scripts that take the part of Slurm's commands, and a shared folder.
class PretendedCluster {
public:
    PretendedCluster() {
        fs::create_directories(folder_ / "shared");
        accept();
        answer("scancel", note_words("scancel"));
        list("");
        script.plan.peak_memory_bytes = std::int64_t{1} << 30;
    }

    fs::path folder() const { return folder_; }
    fs::path shared() const { return folder_ / "shared"; }
    /// The folder of the only batch.
    fs::path batch() const { return fs::directory_iterator(shared())->path(); }
    cluster::TaskFolder task(int number) const { return cluster::BatchFolder(batch()).task_folder(number); }
    std::string batch_file() const { return contents_of(batch() / "batch.json"); }
    /// Returns the words of a command, one a line.
    std::string words_of(const std::string& command) const { return contents_of(folder_ / (command + ".txt")); }

    void answer(const std::string& command, const std::string& text) const {
        fs::create_directories(folder_ / "bin");
        std::ofstream(folder_ / "bin" / command) << "#!/bin/sh\n" << text << '\n';
        fs::permissions(folder_ / "bin" / command, fs::perms(0755));
    }
    void accept() const { answer("sbatch", note_words("sbatch") + "; echo 17"); }
    void refuse(const std::string& reason) const {
        answer("sbatch", "echo 'sbatch: error: " + reason + "' >&2; exit 1");
    }
    /// squeue lists these jobs.
    void list(const std::string& jobs) const { answer("squeue", "echo '{\"jobs\": [" + jobs + "]}'"); }
    std::string job(int index, const std::string& state) const {
        return Json{{"name", "kinescope-" + batch().filename().string().substr(10) + "-1"},
                    {"array_job_id", 17},
                    {"array_task_id", index},
                    {"job_state", state},
                    {"state_reason", "None"},
                    {"nodes", "n1"}}
            .dump();
    }
    /// squeue lists `first` a few times, then nothing, and at last ends the program that asks.
    void list_until_signal(const std::string& first) const {
        const std::string count = "'" + (folder_ / "count").string() + "'";
        answer("squeue", "echo x >>" + count + "; n=$(wc -l <" + count +
                             "); [ $n -lt 30 ] || kill -TERM $PPID; "
                             "jobs='" +
                             first + "'; [ $n -lt 10 ] || jobs=; echo \"{\\\"jobs\\\": [$jobs]}\"");
    }

    CommandResult submit(const Words& options = {}) {
        std::ofstream(folder_ / "two.jsonl") << R"({"prompt": "it's", "output": "a b'c.mp4"})" << '\n'
                                             << R"({"prompt": "b", "seed": 7})" << '\n';
        Words words = {"generate",  "--batch",           (folder_ / "two.jsonl").string(),
                       "--slurm",   "--shared-dir",      shared().string(),
                       "--program", "/opt/kinescope-cli"};
        words.insert(words.end(), options.begin(), options.end());
        return run_commands(script, words);
    }
    CommandResult run(Words words) {
        words.insert(words.begin(), "cluster");
        return run_commands(script, words);
    }
    /// Runs the first task in this process, whose current folder the task changes.
    CommandResult run_task() {
        const fs::path here = fs::current_path();
        const CommandResult result = run({"run-task", batch().string(), "--submission", "1", "--index", "1"});
        fs::current_path(here);
        return result;
    }

    StubScript script = working_script();

private:
    std::string note_words(const char* command) const {
        return "for word; do echo \"$word\"; done >'" + (folder_ / command).string() + ".txt'";
    }

    const QTemporaryDir dir_;
    const fs::path folder_ = dir_.path().toStdString();
    const ChangedVariable path_{"PATH", (folder_ / "bin").string() + ":/usr/bin:/bin"};
    const ChangedVariable state_{"XDG_STATE_HOME", (folder_ / "state").string()};
};

/// What is written to stderr in a scope, such as log lines.
class LogLines {
public:
    LogLines() : stderr_(::dup(STDERR_FILENO)) {
        if (file_.open()) ::dup2(file_.handle(), STDERR_FILENO);
    }
    ~LogLines() {
        ::dup2(stderr_, STDERR_FILENO);
        ::close(stderr_);
    }
    LogLines(const LogLines&) = delete;
    LogLines& operator=(const LogLines&) = delete;
    std::string text() const {
        QFile written(file_.fileName());
        return written.open(QIODevice::ReadOnly) ? written.readAll().toStdString() : std::string();
    }

private:
    QTemporaryFile file_;
    int stderr_;
};

int count_of(const std::string& text, const std::string& part) {
    return static_cast<int>(QString::fromStdString(text).count(QString::fromStdString(part)));
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

/// Batches, long videos of several parts, and several seeds.
class TestManyVideos : public CommandLineFixture {
    Q_OBJECT

private Q_SLOTS:
    void a_batch_is_submitted_to_slurm_and_cancelled() {
        PretendedCluster cluster;
        auto result = cluster.submit({"--partition", "p;q", "--time", "90", "--cpus", "2", "--json"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QVERIFY(cluster.script.submitted.empty());  // nothing runs here
        const std::string asked = cluster.words_of("sbatch");
        for (const char* word : {"--array=1-2\n", "--partition=p;q\n", "--time=90\n", "--mem=2304M\n",
                                 "--signal=B:USR1@120\n", "--cpus-per-task=2\n"})
            QVERIFY2(contains(asked, word), asked.c_str());
        // This squeue never lists the job, so its tasks count as lost.
        result = cluster.run({"--json"});
        QVERIFY2(contains(result.out, R"("lost":2)"), result.out.c_str());
        QVERIFY2(contains(result.out, "a b'c.mp4"), result.out.c_str());
        result = cluster.run({"remove"});
        QVERIFY(result.exit_code == 2 && contains(result.err, "the batch is not over"));
        result = cluster.run({"cancel", "--video", "9"});
        QVERIFY(result.exit_code == 2 && contains(result.err, "the batch has no video 9"));
        result = cluster.run({"cancel"});
        QCOMPARE(cluster.words_of("scancel"), std::string("--quiet\n17_1\n17_2\n"));
        result = cluster.run({"wait", "--poll", "0.1"});
        QVERIFY2(result.exit_code == 3, result.err.c_str());
        QVERIFY(contains(result.err, "cluster resume"));
        result = cluster.run({"resume", "--mem", "8GiB", "--time", "120", "--program", "/opt/new"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const std::string again = cluster.words_of("sbatch");
        for (const char* word : {"--mem=8192M\n", "--time=120\n", "--partition=p;q\n"})
            QVERIFY2(contains(again, word), again.c_str());
        result = cluster.run({"cancel"});
        result = cluster.run({"remove"});
        QVERIFY2(result.exit_code == 2 && contains(result.err, "2 videos that can be resumed: 2 cancelled"),
                 result.err.c_str());
        result = cluster.run({"remove", "--discard"});
        QVERIFY2(result.exit_code == 0 && fs::is_empty(cluster.shared()), result.err.c_str());
    }

    /// The quota of the home folder is used up, or it is read-only. Slurm has accepted the tasks then.
    void a_batch_that_cannot_be_noted_is_named() {
        PretendedCluster cluster;
        std::ofstream(cluster.folder() / "state") << "no folder";
        const LogLines log;
        const auto result = cluster.submit();
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QVERIFY2(contains(result.out, cluster.batch().filename().string().substr(10)), result.out.c_str());
        QVERIFY2(contains(log.text(), "kinescope-cli cluster wait '" + cluster.batch().string() + "'"),
                 log.text().c_str());
        QCOMPARE(cluster.run({"status", cluster.batch().string()}).exit_code, 0);
    }

    void existing_previews_are_refused_before_the_submission_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("is_refused");
        QTest::newRow("preview") << "step0001_frame0000.png" << true;
        QTest::newRow("other file") << "notes.txt" << false;
    }
    void existing_previews_are_refused_before_the_submission() {
        QFETCH(QString, name);
        QFETCH(bool, is_refused);
        PretendedCluster cluster;
        const fs::path previews = cluster.folder() / "previews";
        fs::create_directory(previews);
        std::ofstream(previews / name.toStdString()) << "mine";
        const auto result =
            run_commands(cluster.script, {"generate", "--slurm", "--shared-dir", cluster.shared().string(), "--program",
                                          "/opt/kinescope-cli", "--prompt", "a", "--output",
                                          (cluster.folder() / "a.mp4").string(), "--preview-dir", previews.string()});
        QVERIFY2(result.exit_code == (is_refused ? 2 : 0), result.err.c_str());
        QCOMPARE(contains(result.err, name.toStdString() + "' already exists"), is_refused);
        QCOMPARE(fs::is_empty(cluster.shared()), is_refused);
    }

    void options_that_the_cluster_refuses_are_not_stored() {
        PretendedCluster cluster;
        cluster.submit();
        cluster.list(cluster.job(1, "RUNNING") + "," + cluster.job(2, "RUNNING"));
        const std::string before = cluster.batch_file();
        cluster.refuse("invalid partition specified: nix");
        const auto result = cluster.run({"resume", "--partition", "nix"});
        QCOMPARE(result.exit_code, 2);
        QVERIFY2(contains(result.err, "the partition 'nix' does not exist"), result.err.c_str());
        QCOMPARE(cluster.batch_file(), before);
        for (const auto& entry : fs::directory_iterator(cluster.batch()))
            QVERIFY2(!entry.path().filename().string().starts_with("kinescope-check"), entry.path().c_str());
        cluster.accept();
        QCOMPARE(cluster.run({"resume", "--partition", "long"}).exit_code, 0);
        QVERIFY(contains(cluster.batch_file(), R"("partition": "long")"));
    }

    void a_refused_resubmission_is_said_once_and_ends_the_wait() {
        PretendedCluster cluster;
        cluster.submit();
        cluster.list_until_signal(cluster.job(2, "RUNNING"));
        cluster.refuse("Requested time limit is invalid (missing or exceeds some limit)");
        const LogLines log;
        const auto result = cluster.run({"wait", "--poll", "0.1"});
        QVERIFY2(result.exit_code == 1, result.err.c_str());
        QCOMPARE(count_of(result.err, "exceeds some limit"), 1);
        QVERIFY2(!contains(log.text(), "submitted again"), log.text().c_str());
        QVERIFY2(contains(result.err, "kinescope-cli cluster resume with another --time."), result.err.c_str());
        QVERIFY2(contains(result.err, "2 videos are missing; kinescope-cli cluster resume ") &&
                     contains(result.err, " with another --time continues them"),
                 result.err.c_str());
        const auto again = cluster.run({"resume"});
        QVERIFY2(again.exit_code == 2 && contains(again.err, "resume with another --time."), again.err.c_str());
        cluster.accept();
        cluster.list("");
        QVERIFY(contains(cluster.run({"resume", "--time", "10", "--json"}).out, "[1,2]"));
    }

    void a_wait_that_ends_says_what_goes_on() {
        PretendedCluster cluster;
        cluster.submit();
        cluster.list_until_signal("");
        cluster.refuse("Unable to contact slurm controller (connect failure)");
        const LogLines log;
        auto result = cluster.run({"wait", "--poll", "0.1"});
        QCOMPARE(result.exit_code, 5);
        QVERIFY2(contains(result.err, "no video is running or waiting"), result.err.c_str());
        QCOMPARE(count_of(result.err, "connect failure"), 1);
        QVERIFY2(!contains(log.text(), "submitted again"), log.text().c_str());
        cluster.answer("squeue", "kill -TERM $PPID; echo '{\"jobs\": [" + cluster.job(1, "RUNNING") + "]}'");
        result = cluster.run({"wait", "--poll", "0.1"});
        QVERIFY2(contains(result.err, "the videos go on without this program"), result.err.c_str());
    }

    void memory_without_a_unit_is_in_mebibytes() {
        PretendedCluster cluster;
        auto result = cluster.submit({"--mem", "4000"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QVERIFY2(contains(cluster.words_of("sbatch"), "--mem=4000M\n"), cluster.words_of("sbatch").c_str());
        result = cluster.run({"resume", "--mem", "5000"});
        QVERIFY2(contains(cluster.words_of("sbatch"), "--mem=5000M\n"), cluster.words_of("sbatch").c_str());
    }

    void less_memory_than_planned_is_refused() {
        PretendedCluster cluster;
        auto result = cluster.submit({"--mem", "512"});
        QCOMPARE(result.exit_code, 2);
        QVERIFY2(contains(result.err, "512.0 MiB") && contains(result.err, "the plan needs 1.0 GiB") &&
                     contains(result.err, "Leave --mem out"),
                 result.err.c_str());
        QVERIFY(fs::is_empty(cluster.shared()));
        // A task with a graphics card may need less than the plan, which is for the CPU.
        QCOMPARE(cluster.submit({"--mem", "512", "--gres", "gpu:1"}).exit_code, 0);
    }

    /// Otherwise every task would fail.
    void an_incomplete_model_is_refused_before_it_is_submitted_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("planned memory") << QStringList{};
        QTest::newRow("memory") << QStringList{"--mem", "8GiB"};
        QTest::newRow("graphics card") << QStringList{"--mem", "8GiB", "--gres", "gpu:1"};
    }
    void an_incomplete_model_is_refused_before_it_is_submitted() {
        QFETCH(QStringList, options);
        PretendedCluster cluster;
        cluster.script.plan.missing_weights =
            Error(ErrorCode::file_not_found, "no weights of the vae", "Get them.", {{"path", "/models/a/vae"}});
        Words words;
        for (const QString& word : options) words.push_back(word.toStdString());
        const auto result = cluster.submit(words);
        QCOMPARE(result.exit_code, 2);
        QVERIFY2(contains(result.err, "no weights of the vae"), result.err.c_str());
        QVERIFY(fs::is_empty(cluster.shared()) && cluster.words_of("sbatch").empty());
    }

    void a_resumed_batch_needs_the_planned_memory() {
        PretendedCluster cluster;
        cluster.submit();
        const std::string before = cluster.batch_file();
        const auto result = cluster.run({"resume", "--mem", "512"});
        QVERIFY2(result.exit_code == 2 && contains(result.err, "the plan needs 1.0 GiB"), result.err.c_str());
        QCOMPARE(cluster.batch_file(), before);
    }

    void the_status_says_what_cluster_wait_does() {
        PretendedCluster cluster;
        cluster.submit();
        const auto task = cluster.task(1);
        task.claim({1, 0});
        fs::create_directories(task.outputs({1, 0}));
        std::ofstream(task.outputs({1, 0}) / "video.mp4") << "video";
        const auto description = cluster::describe_outputs(task.outputs({1, 0}), {{"status", "completed"}});
        std::ofstream(task.outputs({1, 0}) / cluster::kResultFile) << description.dump();
        task.publish({1, 0});
        const auto result = cluster.run({"status"});
        QVERIFY2(contains(result.out, "0 of 2 done, 1 finished, 1 lost"), result.out.c_str());
        QVERIFY2(contains(result.out, "1 finished video is not imported yet: kinescope-cli cluster wait"),
                 result.out.c_str());
        QVERIFY2(contains(result.out, "1 lost video is not submitted again by itself: kinescope-cli cluster wait"),
                 result.out.c_str());
    }

    void a_batch_with_an_unfinished_video_is_not_removed_silently() {
        PretendedCluster cluster;
        cluster.submit();
        for (const int number : {1, 2}) {
            cluster.task(number).claim({1, 0});
            cluster::AttemptStatus status{.state = cluster::AttemptState::running, .step = 3, .num_steps = 8};
            if (number == 1) status.state = cluster::AttemptState::failed;
            if (number == 1) status.error = Error(ErrorCode::out_of_memory, "too small");
            cluster.task(number).write_status({1, 0}, status);
        }
        cluster.run({"cancel", "--video", "2"});
        auto result = cluster.run({"remove"});
        QCOMPARE(result.exit_code, 2);
        QVERIFY2(contains(result.err, "the batch has 2 videos that can be resumed: 1 failed, 1 cancelled"),
                 result.err.c_str());
        QVERIFY2(contains(result.err, "cluster resume") && contains(result.err, "--discard"), result.err.c_str());
        QVERIFY(!fs::is_empty(cluster.shared()));
        result = cluster.run({"remove", "--discard"});
        QVERIFY2(result.exit_code == 0 && fs::is_empty(cluster.shared()), result.err.c_str());
    }

    void a_full_storage_names_the_file_and_how_the_batch_goes_on() {
        PretendedCluster cluster;
        cluster.submit();
        cluster.script.run = [](const VideoRequest& request) -> std::vector<RunEvent> {
            const std::string file = request.output.file.string();
            return {RunStarted{request, small_card(), {}},
                    RunFailed{Error(ErrorCode::disk_full, "no space left for " + file + ": 0 bytes were written",
                                    "Free some space, then generate again with the same seed.", {{"path", file}})}};
        };
        const auto result = cluster.run_task();
        QCOMPARE(result.exit_code, 69);
        const auto file = cluster.task(1).outputs({1, 0}) / "video.mp4";
        QVERIFY2(contains(result.err, "no space left for " + file.string()), result.err.c_str());
        QVERIFY2(contains(result.err, "cluster resume") && !contains(result.err, "same seed"), result.err.c_str());
        const auto error = cluster.task(1).status({1, 0})->error;
        QVERIFY(error && contains(error->message(), file.string()) && contains(error->hint(), "cluster resume"));
    }

    /// Another node may have another version of the program.
    void a_task_starts_over_from_steps_of_another_setup() {
        PretendedCluster cluster;
        cluster.submit();
        bool is_first = true;
        cluster.script.run = [&is_first](const VideoRequest& request) -> std::vector<RunEvent> {
            if (std::exchange(is_first, false))
                return {RunStarted{request, small_card(), {}},
                        RunFailed{Error(ErrorCode::bad_config, "the steps cannot be continued", "Start it over.",
                                        {{"cause", kStepsOfOtherSetup}})}};
            std::ofstream("out/video.mp4") << "video";
            return finish_at_once(request);
        };
        const auto result = cluster.run_task();
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QVERIFY((cluster.script.restarted == std::vector<JobId>{1}));
        std::ifstream description(cluster.task(1).result() / cluster::kResultFile);
        const Json outcome = Json::parse(description)["outcome"];
        QCOMPARE(outcome["warnings"].back().get<std::string>(),
                 std::string("the steps cannot be continued; the video starts over"));
    }

    /// Repeating the steps may take hours.
    void a_task_that_is_decoded_early_does_not_start_over() {
        PretendedCluster cluster;
        cluster.submit();
        cluster::BatchFolder(cluster.batch()).write_remaining_steps(RemainingSteps::skipped);
        Job adopted;
        adopted.id = 1;
        adopted.state = JobState::paused;
        adopted.step = 2;
        cluster.script.jobs = {adopted};
        cluster.script.run = [](const VideoRequest& request) -> std::vector<RunEvent> {
            return {RunStarted{request, small_card(), {}},
                    RunFailed{Error(ErrorCode::bad_config, "the steps cannot be continued", "Start it over.",
                                    {{"cause", kStepsOfOtherSetup}})}};
        };
        const auto result = cluster.run_task();
        QVERIFY(result.exit_code != 0);
        QVERIFY((cluster.script.decoded == std::vector<JobId>{1}));
        QVERIFY(cluster.script.restarted.empty());
        const auto status = cluster.task(1).status({1, 0});
        QVERIFY(status && status->state == cluster::AttemptState::failed && status->error);
        QVERIFY2(contains(status->error->hint(), "continue the video"), status->error->hint().c_str());
    }

    /// Another program may be replacing the file, which NFS may show for a moment as unreadable.
    void a_running_task_goes_on_while_the_cancelled_tasks_cannot_be_read() {
        PretendedCluster cluster;
        cluster.submit();
        cluster.script.run = [&cluster](const VideoRequest& request) -> std::vector<RunEvent> {
            std::ofstream(cluster.batch() / "cancelled.json") << "[";
            std::ofstream("out/video.mp4") << "video";
            return finish_at_once(request);
        };
        const auto result = cluster.run_task();
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QVERIFY(cluster.task(1).has_result());
    }

    void a_damaged_line_of_a_batch_has_its_number() {
        StubScript script = working_script();
        write("three.jsonl", "{\"prompt\": \"a\"}\n\n{\"prompt\": }\n");
        const auto result = run_commands(script, {"generate", "--batch", "three.jsonl"});
        QVERIFY2(contains(result.err, "at line 3") && !contains(result.err, "line 1"), result.err.c_str());
    }

    void a_batch_is_no_request() {
        StubScript script = working_script();
        write("two.jsonl", "{\"prompt\": \"a\"}\n{\"prompt\": \"b\"}\n");
        const auto result = run_commands(script, {"plan", "--request", "two.jsonl"});
        QCOMPARE(result.exit_code, 2);
        QVERIFY2(contains(result.err, "is a batch") && contains(result.err, "generate --batch"), result.err.c_str());
    }

    void without_slurm_a_batch_leaves_nothing() {
        const QTemporaryDir dir;
        const ChangedVariable path("PATH", "/nowhere");
        StubScript script = working_script();
        const auto result =
            run_commands(script, {"generate", "--slurm", "--shared-dir", dir.path().toStdString(), "--prompt", "a"});
        QCOMPARE(result.exit_code, 2);
        QVERIFY2(result.err.find("'sbatch' was not found") != std::string::npos, result.err.c_str());
        QVERIFY(fs::is_empty(dir.path().toStdString()));
    }

    void an_option_of_sbatch_in_brackets_stays_whole() {
        PretendedCluster cluster;
        const auto result = cluster.submit({"--sbatch=[x,y]", "--sbatch=--nice"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const std::string words = cluster.words_of("sbatch");
        QVERIFY2(words.find("\n[x,y]\n--nice\n") != std::string::npos, words.c_str());
    }

    void all_parts_are_one_request() {
        StubScript script = working_script();
        script.card.continuation = Continuation::last_frame;
        const auto result = run_commands(script, {"generate", "--prompt", "one", "--next-prompt", "two",
                                                  "--next-prompt", "three", "--seeds", "2", "-o", "long.mp4"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), std::size_t{2});
        QCOMPARE(script.submitted[1].next_prompts, (std::vector<std::string>{"two", "three"}));
        QCOMPARE(script.submitted[1].output.file.string(), std::string("long-2.mp4"));
    }

    void results_name_their_seed_and_prompt() {
        StubScript script = working_script();
        const Json runs = Json::parse(run_commands(script, {"generate", "--prompt", "a {red|blue} ball", "--seeds", "2",
                                                            "--seed", "5", "-o", "b.mp4", "--json"})
                                          .out)
                              .at("runs");
        QCOMPARE(runs.size(), std::size_t{4});
        for (const Json& run : runs) {
            const auto name = run.at("output").get<std::string>();
            const bool is_red = name == "b-1.mp4" || name == "b-2.mp4";
            QCOMPARE(run.at("prompt").get<std::string>(), std::string(is_red ? "a red ball" : "a blue ball"));
            QCOMPARE(run.at("seed").get<int>(), name == "b-1.mp4" || name == "b-3.mp4" ? 5 : 6);
        }
    }

    void the_first_seed_follows_the_largest_one() {
        StubScript script = working_script();
        const auto result = run_commands(
            script, {"generate", "--prompt", "one", "--seeds", "2", "--seed", "18446744073709551615", "--json"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), std::size_t{2});
        QCOMPARE(*script.submitted[0].seed, std::numeric_limits<std::uint64_t>::max());
        QCOMPARE(*script.submitted[1].seed, std::uint64_t{0});
        const Json runs = Json::parse(result.out).at("runs");
        QVERIFY(runs.at(0).at("seed") == Json(std::numeric_limits<std::uint64_t>::max()));
    }

    void numbered_folders_stay_folders_data() {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("previews");
        QTest::addColumn<QString>("second_output");
        QTest::addColumn<QString>("second_previews");
        const auto row = [](const char* name, const char* output, const char* previews, const char* second_output,
                            const char* second_previews) {
            QTest::newRow(name) << output << previews << second_output << second_previews;
        };
        row("plain names", "shots/", "previews", "shots-2/", "previews-2");
        row("names with dots", "out.v1/", "v1.2", "out.v1-2/", "v1.2-2");
        row("names like those of videos", "clips.mp4/", "a/p.png/", "clips.mp4-2/", "a/p.png-2");
        row("folders in folders", "a.b/shots//", "a.b/p", "a.b/shots-2/", "a.b/p-2");
        row("no previews", "a.mp4", "", "a-2.mp4", "");
    }

    void numbered_folders_stay_folders() {
        QFETCH(QString, output);
        QFETCH(QString, previews);
        StubScript script = working_script();
        Words words{"generate", "--prompt", "p", "--seeds", "2", "-o", output.toStdString()};
        if (!previews.isEmpty()) words.insert(words.end(), {"--preview-dir", previews.toStdString()});
        const auto result = run_commands(script, words);
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const OutputRequest& second = script.submitted.at(1).output;
        QTEST(QString::fromStdString(second.file.string()), "second_output");
        QTEST(QString::fromStdString(second.preview_dir.string()), "second_previews");
    }

    void a_next_prompt_needs_a_model_that_continues() {
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--prompt", "one", "--next-prompt", "two"});
        QVERIFY(result.exit_code != 0);
        QVERIFY2(result.err.find("cannot continue a video") != std::string::npos, result.err.c_str());
        QVERIFY(script.submitted.empty());
    }

    void seeds_and_alternatives_make_one_video_each() {
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--prompt", "a {red|blue} ball", "--seeds", "2", "--seed",
                                                  "7", "--output", "o.mp4", "--numeric-log", "l.jsonl", "--json"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), 4u);
        QCOMPARE(Json::parse(result.out).at("runs").size(), 4u);
        QCOMPARE(script.submitted[0].prompt, std::string("a red ball"));
        QCOMPARE(*script.submitted[1].seed, std::uint64_t{8});
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

    void a_batch_runs_in_order() {
        write(folder_.filePath("list.jsonl"), "{\"prompt\": \"one\"}\n\n{\"prompt\": \"two\", \"seed\": 4}\n");
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--batch", "list.jsonl", "--seed", "7", "--json"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.submitted.size(), 2u);
        QCOMPARE(script.submitted[1].prompt, std::string("two"));
        QCOMPARE(*script.submitted[1].seed, std::uint64_t{7});
        const Json runs = Json::parse(result.out).at("runs");
        QCOMPARE(runs.size(), 2u);
        QVERIFY(runs.at(0).at("line") == Json(1) && runs.at(1).at("line") == Json(3));
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
        for (std::size_t i = 0; i < 4; ++i) QVERIFY(runs.at(i).at("line") == Json(i + 1));
    }

    void a_batch_of_bad_lines_is_a_bad_request() {
        write(folder_.filePath("bad.jsonl"), "\n{\"promt\": \"two\"}\n{nonsense\n");
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--batch", "bad.jsonl", "--json"});
        QCOMPARE(result.exit_code, 2);
        const Json faults = Json::parse(result.out).at("error").at("faults");
        QVERIFY(faults.front().at("line") == Json(2) && faults.back().at("line") == Json(3));
        for (const char* part :
             {"line 2: 'promt' is not a known key", "line 2: prompt is empty", "line 3: The request is not valid JSON"})
            QVERIFY2(result.err.find(part) != std::string::npos, result.err.c_str());
        QVERIFY2(!contains(result.err, "line 3: prompt is empty"),
                 result.err.c_str());  // the line has no prompt to read
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

    void an_alternative_with_a_taken_name_does_not_stop_the_others() {
        write(folder_.filePath("taken.jsonl"),
              "{\"prompt\": \"one\", \"output\": \"x-2.mp4\"}\n"
              "{\"prompt\": \"a {b|c|d} cat\", \"output\": \"x.mp4\"}\n");
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--batch", "taken.jsonl"});
        QCOMPARE(result.exit_code, 1);
        QCOMPARE(count_of(result.err, "line 2: two requests"), 1);
        QCOMPARE(script.submitted.size(), 3u);
        QCOMPARE(script.submitted[1].output.file.filename(), fs::path("x-1.mp4"));
        QCOMPARE(script.submitted[2].output.file.filename(), fs::path("x-3.mp4"));
        QCOMPARE(script.submitted[2].prompt, std::string("a d cat"));
    }

    void a_fault_of_a_line_is_said_once() {
        write(folder_.filePath("faulty.jsonl"),
              "{\"prompt\": \"a {b|c} cat\", \"promt\": \"x\"}\n{\"prompt\": \"one\"}\n");
        StubScript script = working_script();
        const auto result = run_commands(script, {"generate", "--batch", "faulty.jsonl"});
        QCOMPARE(count_of(result.err, "line 1: 'promt' is not a known key"), 1);
        QCOMPARE(script.submitted.size(), 1u);
    }

    void jobs_of_a_batch_get_different_names() {
        write(folder_.filePath("names.jsonl"), "{\"prompt\": \"one\"}\n{\"prompt\": \"one\"}\n");
        StubScript script = working_script();
        QCOMPARE(run_commands(script, {"generate", "--batch", "names.jsonl", "--seed", "7"}).exit_code, 0);
        QCOMPARE(script.submitted.at(0).output.file, std::filesystem::path("one-7.mp4"));
        QCOMPARE(script.submitted.at(1).output.file, std::filesystem::path("one-7-2.mp4"));
    }
};

QTEST_GUILESS_MAIN(TestManyVideos)
#include "test_many_videos.moc"
