#include <QTest>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/app/command_line_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;
using Json = nlohmann::json;

/// The command resume: which jobs it takes, and what it does with them.
class TestResume : public CommandLineFixture {
    Q_OBJECT

private Q_SLOTS:
    void resume_chooses_a_job_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("exit_code");
        QTest::addColumn<qint64>("chosen");
        QTest::addColumn<QString>("message");
        QTest::newRow("newest started job") << QStringList{"--last"} << 0 << qint64{4} << "";
        QTest::newRow("job by number") << QStringList{"2"} << 0 << qint64{2} << "";
        QTest::newRow("waiting job by number") << QStringList{"7"} << 0 << qint64{7} << "";
        QTest::newRow("job whose start failed") << QStringList{"8"} << 0 << qint64{8} << "";
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
        const auto named = run_commands(script, {"resume", "jobs/7"});
        QCOMPARE(named.exit_code, 2);
        QVERIFY2(named.err.find("there is no job 'jobs/7' to resume") != std::string::npos, named.err.c_str());
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

    void resume_names_the_jobs_that_a_signal_keeps_from_starting_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("exit_code");
        QTest::addColumn<int>("last_job");
        QTest::addColumn<QString>("names");
        QTest::newRow("SIGTERM") << SIGTERM << 5 << 4 << "job 4;";
        QTest::newRow("SIGINT") << SIGINT << 3 << 4 << "job 4;";
        QTest::newRow("many") << SIGINT << 3 << 5000 << "jobs 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 4987 more;";
    }
    /// The signal arrives when the job can no longer be stopped.
    void resume_names_the_jobs_that_a_signal_keeps_from_starting() {
        QFETCH(int, signal);
        QFETCH(int, exit_code);
        QFETCH(int, last_job);
        QFETCH(QString, names);
        StubScript script = working_script();
        for (JobId id = 3; id <= last_job; ++id)
            script.jobs.push_back(Job{.id = id, .state = JobState::paused, .step = 2});
        script.run = [signal](const VideoRequest& request) {
            std::raise(signal);
            return finish_at_once(request);
        };
        const auto result = run_commands(script, {"resume", "--all", "--quiet"});
        QCOMPARE(script.proceeded, std::vector<JobId>{3});
        QCOMPARE(result.exit_code, exit_code);
        const std::string words = "not done yet: " + names.toStdString() + " the same command goes on there";
        QVERIFY2(result.err.find(words) != std::string::npos, result.err.c_str());
    }

    void resume_hints_at_what_it_can_do() {
        StubScript script = working_script();
        Job job;
        job.id = 1;
        job.state = JobState::paused;
        job.step = 2;
        script.jobs = {job};
        const Error error(ErrorCode::output_exists, "a.mp4 already exists",
                          "Choose another name, or allow it to be replaced (--overwrite).");
        script.run = [&](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{error}}; };
        const auto resumed = run_commands(script, {"resume"});
        QVERIFY2(resumed.err.find("hint: Rename or delete that file, then continue the job.") != std::string::npos,
                 resumed.err.c_str());
        const auto generated = run_commands(script, {"generate", "--prompt", "a"});
        QVERIFY2(generated.err.find("--overwrite") != std::string::npos, generated.err.c_str());
    }

    void resume_keeps_a_job_whose_start_fails() {
        StubScript script = working_script();
        for (const JobId id : {1, 2}) {
            Job job;
            job.id = id;
            job.state = JobState::failed;
            script.jobs.push_back(job);
        }
        const Error error(ErrorCode::file_not_found, "video not found: v.mp4", "");
        script.run = [&](const VideoRequest&) { return std::vector<RunEvent>{RunFailed{error}}; };
        const auto result = run_commands(script, {"resume", "--all"});
        QVERIFY(result.exit_code != 0);
        QCOMPARE(script.proceeded, (std::vector<JobId>{1, 2}));
        QVERIFY(script.removed.empty());
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

    void a_damaged_job_can_only_be_discarded() {
        StubScript script = working_script();
        const Error error(ErrorCode::bad_config, "job.json is not usable", "", {{"cause", "damaged_job"}});
        script.jobs = {Job{.id = 3, .state = JobState::failed, .error = error}, Job{.id = 5}};
        const auto refused = run_commands(script, {"resume", "3"});
        QCOMPARE(refused.exit_code, 2);
        QVERIFY2(refused.err.find("job.json is not usable") != std::string::npos, refused.err.c_str());
        QCOMPARE(run_commands(script, {"resume", "--last", "--discard"}).exit_code, 0);
        QCOMPARE(script.removed, (std::vector<JobId>{5}));
        QCOMPARE(run_commands(script, {"resume", "3", "--discard"}).exit_code, 0);
        QCOMPARE(script.removed, (std::vector<JobId>{5, 3}));
        QVERIFY(script.proceeded.empty());
    }

    void other_jobs_are_resumed_beside_a_damaged_one_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("all") << QStringList{"--all"};
        QTest::newRow("the only one") << QStringList{};
        QTest::newRow("the newest") << QStringList{"--last"};
    }
    void other_jobs_are_resumed_beside_a_damaged_one() {
        QFETCH(QStringList, words);
        StubScript script = working_script();
        const Error error(ErrorCode::bad_config, "job.json is not usable", "", {{"cause", "damaged_job"}});
        script.jobs = {Job{.id = 3, .state = JobState::failed, .error = error},
                       Job{.id = 5, .state = JobState::paused, .step = 2}};
        std::vector<std::string> arguments{"resume"};
        for (const QString& word : words) arguments.push_back(word.toStdString());
        const auto result = run_commands(script, arguments);
        QVERIFY2(result.exit_code == 0, result.err.c_str());
        QCOMPARE(script.proceeded, (std::vector<JobId>{5}));
    }

    void a_job_of_another_program_does_not_keep_others_from_being_resumed() {
        StubScript script = working_script();
        for (const JobId id : {3, 5}) script.jobs.push_back(Job{.id = id, .state = JobState::paused, .step = 2});
        script.locked = {3};
        const auto result = run_commands(script, {"resume", "--all", "--json"});
        QVERIFY(result.exit_code != 0);
        QCOMPARE(script.proceeded, (std::vector<JobId>{5}));
        QCOMPARE(Json::parse(result.out).at("runs").size(), std::size_t{2});
    }

    void a_job_whose_start_failed_does_not_hide_the_only_started_one() {
        StubScript script = working_script();
        script.jobs = {Job{.id = 3, .state = JobState::failed}, Job{.id = 5, .state = JobState::paused, .step = 2},
                       Job{.id = 6, .state = JobState::failed}};
        QCOMPARE(run_commands(script, {"resume"}).exit_code, 0);
        QCOMPARE(script.proceeded, (std::vector<JobId>{5}));
    }
};

QTEST_GUILESS_MAIN(TestResume)
#include "test_resume.moc"
