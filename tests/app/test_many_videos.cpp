#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/cli/exit_code.h"
#include "app/cli/output_name.h"
#include "tests/app/command_line_fixture.h"

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

}  // namespace

/// Batches, long videos of several parts, and several seeds.
class TestManyVideos : public CommandLineFixture {
    Q_OBJECT

private Q_SLOTS:
    /// Shell scripts take the part of Slurm's commands.
    void a_batch_is_submitted_to_slurm_and_cancelled() {
        const QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        const auto add_program = [&](const char* name, const std::string& text) {
            fs::create_directories(folder / "bin");
            std::ofstream(folder / "bin" / name) << "#!/bin/sh\n" << text << '\n';
            fs::permissions(folder / "bin" / name, fs::perms(0755));
        };
        const auto said = [&](const char* name) {
            std::ifstream stream(folder / name);
            return std::string(std::istreambuf_iterator<char>(stream), {});
        };
        const std::string words = "for word; do echo \"$word\"; done >";
        add_program("sbatch", words + "'" + (folder / "sbatch.txt").string() + "'; echo 17");
        add_program("scancel", words + "'" + (folder / "scancel.txt").string() + "'");
        add_program("squeue", "echo '{\"jobs\": []}'");
        const ChangedVariable path("PATH", (folder / "bin").string() + ":/usr/bin:/bin");
        const ChangedVariable state("XDG_STATE_HOME", (folder / "state").string());
        fs::create_directory(folder / "shared");
        std::ofstream(folder / "two.jsonl") << R"({"prompt": "it's", "output": "a b'c.mp4"})" << '\n'
                                            << R"({"prompt": "b", "seed": 7})" << '\n';
        StubScript script = working_script();
        script.plan.peak_memory_bytes = std::int64_t{1} << 30;
        auto result =
            run_commands(script, {"generate", "--batch", (folder / "two.jsonl").string(), "--slurm", "--shared-dir",
                                  (folder / "shared").string(), "--partition", "p;q", "--time", "90", "--cpus", "2",
                                  "--program", "/opt/kinescope-cli", "--json"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QVERIFY(script.submitted.empty());  // nothing runs here
        const std::string asked = said("sbatch.txt");
        for (const char* word : {"--array=1-2\n", "--partition=p;q\n", "--time=90\n", "--mem=2304M\n",
                                 "--signal=B:USR1@120\n", "--cpus-per-task=2\n"})
            QVERIFY2(asked.find(word) != std::string::npos, asked.c_str());
        // This squeue never lists the job, so its tasks count as lost.
        result = run_commands(script, {"cluster", "--json"});
        QVERIFY2(result.out.find(R"("lost":2)") != std::string::npos, result.out.c_str());
        QVERIFY2(result.out.find("a b'c.mp4") != std::string::npos, result.out.c_str());
        result = run_commands(script, {"cluster", "remove"});
        QVERIFY(result.exit_code == 2 && result.err.find("the batch is not over") != std::string::npos);
        result = run_commands(script, {"cluster", "cancel", "--video", "9"});
        QVERIFY(result.exit_code == 2 && result.err.find("the batch has no video 9") != std::string::npos);
        result = run_commands(script, {"cluster", "cancel"});
        QCOMPARE(said("scancel.txt"), std::string("--quiet\n17_1\n17_2\n"));
        result = run_commands(script, {"cluster", "wait", "--poll", "0.1"});
        QVERIFY2(result.exit_code == 3, result.err.c_str());
        QVERIFY(result.err.find("cluster resume") != std::string::npos);
        result = run_commands(script, {"cluster", "resume", "--mem", "8GiB", "--time", "120", "--program", "/opt/new"});
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        const std::string again = said("sbatch.txt");
        for (const char* word : {"--mem=8192M\n", "--time=120\n", "--partition=p;q\n"})
            QVERIFY2(again.find(word) != std::string::npos, again.c_str());
        result = run_commands(script, {"cluster", "cancel"});
        result = run_commands(script, {"cluster", "remove"});
        QVERIFY2(result.exit_code == 0 && fs::is_empty(folder / "shared"), result.err.c_str());
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

    void the_seeds_of_parts_have_an_end() {
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
};

QTEST_GUILESS_MAIN(TestManyVideos)
#include "test_many_videos.moc"
