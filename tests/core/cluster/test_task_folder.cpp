#include <sys/resource.h>
#include <sys/stat.h>

#include <QTest>
#include <algorithm>
#include <csignal>
#include <memory>

#include "core/base/json_checksum.h"
#include "core/cluster/import_result.h"
#include "tests/core/cluster/temporary_task.h"
#include "tests/support/failing_readdir.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::cluster;
using testing::contents_of;
using testing::kAgain;
using testing::kFirst;
using testing::kRequeued;
using testing::write_file;
namespace fs = std::filesystem;

namespace {

std::uint64_t device_of(const fs::path& folder) {
    struct stat status {};
    return ::stat(folder.c_str(), &status) == 0 ? status.st_dev : 0;
}

/// Limits the size of the files that this process writes, during its lifetime.
class SmallFiles {
public:
    explicit SmallFiles(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{.rlim_cur = std::min(bytes, before_.rlim_max), .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallFiles() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, signal_);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

private:
    rlimit before_{};
    void (*signal_)(int);
};

}  // namespace

class TestTaskFolder : public QObject, private testing::OnTemporaryTask {
    Q_OBJECT

private Q_SLOTS:
    void init() { renew(); }

    void names_of_attempts() {
        for (const AttemptKey& key : {kFirst, kRequeued, kAgain, AttemptKey{10, 11}})
            QVERIFY(attempt_key_from(key.name()) == key);
        for (const char* name : {"", ".", "1", "1.", ".1", "01.0", "1.0.0", "-1.0", "1.x", "result", "1.99999999999"})
            QVERIFY2(!attempt_key_from(name), name);
        QVERIFY(kFirst < kRequeued && kRequeued < kAgain && AttemptKey(9, 0) < AttemptKey(10, 0));
    }

    void the_latest_start_holds_the_lease() {
        QVERIFY(!folder().holds_lease(kFirst));
        QVERIFY(folder().claim(kFirst));
        QVERIFY(folder().holds_lease(kFirst));
        QVERIFY(folder().claim(kRequeued));
        QVERIFY(!folder().holds_lease(kFirst) && folder().holds_lease(kRequeued));
        QVERIFY(!folder().claim(kFirst));
        QVERIFY(!folder().claim(kRequeued));
        QVERIFY(folder().claim(kAgain));
        QVERIFY(!folder().claim({1, 7}));
        QVERIFY(folder().holds_lease(kAgain));
    }

    /// A start that does not see itself would end, although no other one goes on.
    void storage_that_cannot_be_read_now_does_not_take_the_lease() {
        QVERIFY(folder().claim(kFirst));
        {
            const testing::FailingReaddir failing(0);
            QVERIFY_THROWS_EXCEPTION(Error, folder().holds_lease(kFirst));
        }
        QVERIFY(folder().holds_lease(kFirst));
    }

    void a_result_is_published_once() {
        finish(kFirst, "zombie");
        finish(kRequeued, "successor");
        QVERIFY(folder().publish(kRequeued));
        QVERIFY(!folder().publish(kFirst));
        QCOMPARE(contents_of(folder().result() / "video.mp4"), std::string("successor"));
        QVERIFY(folder().has_result());
    }

    void outputs_without_a_result_are_an_error() {
        folder().claim(kFirst);
        QVERIFY_THROWS_EXCEPTION(Error, folder().publish(kFirst));
    }

    /// The shared storage has lost the description of an earlier result.
    void a_result_without_a_description_is_set_aside_data() {
        QTest::addColumn<bool>("by_the_next");
        QTest::newRow("by the attempt") << false;
        QTest::newRow("by the next attempt") << true;
    }
    void a_result_without_a_description_is_set_aside() {
        QFETCH(bool, by_the_next);
        write_file(folder().result() / "video.mp4", "lost");
        finish(kRequeued, "whole");
        QVERIFY(by_the_next ? folder().publish_finished_attempt() : folder().publish(kRequeued));
        QVERIFY(folder().has_result() && folder().has_damaged_result());
        QCOMPARE(contents_of(folder().result() / "video.mp4"), std::string("whole"));
        import_result(folder(), task());
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("whole"));
    }

    void incomplete_outputs_do_not_replace_a_result_without_a_description() {
        write_file(folder().result() / "video.mp4", "lost");
        folder().claim(kFirst);
        write_file(folder().outputs(kFirst) / "video.mp4", "half");
        QVERIFY_THROWS_EXCEPTION(Error, folder().publish(kFirst));
        QCOMPARE(contents_of(folder().result() / "video.mp4"), std::string("lost"));
    }

    void a_finished_attempt_that_was_killed_is_published_by_the_next() {
        QVERIFY(!folder().publish_finished_attempt());
        folder().claim(kFirst);
        write_file(folder().outputs(kFirst) / "video.mp4", "half");
        QVERIFY(!folder().publish_finished_attempt());
        finish(kRequeued, "whole");
        fs::rename(folder().outputs(kRequeued), dir() / "kept");
        fs::create_symlink("out", folder().outputs(kRequeued));  // it leads back to itself: it cannot be read now
        QVERIFY_THROWS_EXCEPTION(Error, folder().publish_finished_attempt());
        fs::remove(folder().outputs(kRequeued));
        fs::rename(dir() / "kept", folder().outputs(kRequeued));
        QVERIFY(folder().publish_finished_attempt());
        QCOMPARE(contents_of(folder().result() / "video.mp4"), std::string("whole"));
    }

    /// Files of /dev/shm cannot get a hard link in the temporary folder.
    void steps_and_parts_that_cannot_be_copied_end_the_attempt_data() {
        QTest::addColumn<bool>("fits");
        QTest::addColumn<QString>("large");
        QTest::newRow("they are copied") << true << "part-1/frames.mkv";
        QTest::newRow("no space for a part") << false << "part-1/frames.mkv";
        QTest::newRow("no space for a step") << false << "part-2/step.safetensors";
    }
    /// Without them, the next attempt would repeat their steps, and hide the attempt that has them.
    void steps_and_parts_that_cannot_be_copied_end_the_attempt() {
        QFETCH(bool, fits);
        QFETCH(QString, large);
        const QTemporaryDir other(QStringLiteral("/dev/shm/task-XXXXXX"));
        if (!other.isValid() || device_of(other.path().toStdString()) == device_of(dir()))
            QSKIP("/dev/shm is not another file system");
        folder().claim(kFirst);
        fs::create_directory_symlink(other.path().toStdString(), folder().jobs(kFirst));
        const fs::path job = folder().jobs(kFirst) / kJobName;
        write_file(job / "job.json", R"({"state": "running"})");
        write_file(job / "part-1" / "conditioning.safetensors", "condition");
        write_file(job / "part-1" / "frames.mkv", "frames");
        write_file(job / "part-1" / "result.json", "{}");
        write_file(job / "part-2" / "conditioning.safetensors", "condition");
        write_file(job / "part-2" / "step.safetensors", "step");
        write_file(job / large.toStdString(), std::string(100'000, 'v'));
        folder().claim(kRequeued);
        const fs::path adopted = folder().jobs(kRequeued) / kJobName;
        {
            const SmallFiles limit(fits ? RLIM_INFINITY : 10'000);
            try {
                QVERIFY(folder().adopt_saved_step(kRequeued));
                QVERIFY(fits);
            } catch (const Error& error) {
                QVERIFY2(!fits, error.what());
                QCOMPARE(error.code(), ErrorCode::disk_full);
            }
        }
        QVERIFY(!fs::exists(adopted / (large.toStdString() + ".part")));
        QCOMPARE(fs::exists(adopted / "job.json"), fits);
        folder().claim(kAgain);
        QVERIFY(folder().adopt_saved_step(kAgain));
        const fs::path again = folder().jobs(kAgain) / kJobName;
        QCOMPARE(contents_of(again / large.toStdString()).size(), std::size_t{100'000});
        QCOMPARE(contents_of(again / "part-1" / "conditioning.safetensors"), std::string("condition"));
        QVERIFY(fs::exists(again / "part-1" / "result.json"));
    }

    /// An attempt that starts from the beginning would hide the one that has the steps.
    void steps_that_cannot_be_found_now_are_not_missing() {
        folder().claim(kFirst);
        const fs::path job = folder().jobs(kFirst) / kJobName;
        write_file(job / "job.json", R"({"state": "running"})");
        write_file(job / "conditioning.safetensors", "condition");
        folder().claim(kRequeued);
        fs::rename(job, dir() / "kept");
        fs::create_symlink(kJobName, job);  // it leads back to itself
        QVERIFY_THROWS_EXCEPTION(Error, folder().adopt_saved_step(kRequeued));
        fs::remove(job);
        fs::rename(dir() / "kept", job);
        QVERIFY(folder().adopt_saved_step(kRequeued));
    }

    /// The attempt that lost the lease may still write; its changes must not reach the successor.
    void a_saved_step_is_adopted_and_separate() {
        folder().claim(kFirst);
        const fs::path job = folder().jobs(kFirst) / kJobName;
        write_file(job / "job.json",
                   R"({"base": "/old", "pid": 5, "saved": {"device": 1, "inode": 2}, "state": "running"})");
        write_file(job / "conditioning.safetensors", "condition");
        write_file(job / "step.safetensors", "step 3");
        write_file(job / "step-before.safetensors", "step 2");
        write_file(job / "continued.json", "stamp");
        write_file(folder().outputs(kFirst) / "numeric.jsonl", "log");
        write_file(folder().outputs(kFirst) / ".video.mp4.part", "half");
        folder().claim(kRequeued);
        QVERIFY(folder().adopt_saved_step(kRequeued));
        const fs::path adopted = folder().jobs(kRequeued) / kJobName;
        fs::rename(job / "step.safetensors", job / "step-before.safetensors");
        write_file(job / "step.safetensors", "step 4");
        std::ofstream(folder().outputs(kFirst) / "numeric.jsonl", std::ios::app) << " and more";
        QCOMPARE(contents_of(adopted / "step.safetensors"), std::string("step 3"));
        QCOMPARE(contents_of(adopted / "step-before.safetensors"), std::string("step 2"));
        QCOMPARE(contents_of(adopted / "continued.json"), std::string("stamp"));
        QCOMPARE(contents_of(folder().outputs(kRequeued) / "numeric.jsonl"), std::string("log"));
        QVERIFY(!fs::exists(folder().outputs(kRequeued) / ".video.mp4.part"));
        const Json read = read_json(adopted / "job.json");
        QCOMPARE(read["base"].get<std::string>(), folder().attempt(kRequeued).string());
        QVERIFY(read["pid"] == 0 && !read.contains("saved") && read["state"] == "running");
    }

    void a_damaged_job_is_not_adopted_data() {
        QTest::addColumn<int>("seed");
        QTest::addColumn<std::string>("adopted");
        QTest::newRow("intact") << 7 << std::string("new");
        QTest::newRow("damaged") << 3 << std::string("old");
    }
    void a_damaged_job_is_not_adopted() {
        QFETCH(int, seed);
        QFETCH(std::string, adopted);
        const auto leave_job = [&](const AttemptKey& key, int changed_seed, const std::string& condition) {
            folder().claim(key);
            const fs::path job = folder().jobs(key) / kJobName;
            Json document = with_checksum({{"base", "/old"}, {"pid", 5}, {"seed", 7}});
            document["seed"] = changed_seed;
            write_file(job / "job.json", document.dump());
            write_file(job / "conditioning.safetensors", condition);
        };
        leave_job(kFirst, 7, "old");
        leave_job(kRequeued, seed, "new");
        folder().claim(kAgain);
        QVERIFY(folder().adopt_saved_step(kAgain));
        const fs::path copy = folder().jobs(kAgain) / kJobName;
        QCOMPARE(contents_of(copy / "conditioning.safetensors"), adopted);
        QVERIFY(has_valid_checksum(read_json(copy / "job.json")));
    }

    void without_a_saved_step_nothing_is_adopted() {
        folder().claim(kFirst);
        write_file(folder().jobs(kFirst) / kJobName / "job.json", "{}");
        folder().claim(kRequeued);
        QVERIFY(!folder().adopt_saved_step(kRequeued));
    }

    void a_status_round_trips() {
        folder().claim(kFirst);
        QVERIFY(!folder().status(kFirst));
        AttemptStatus status{.sequence = 7,
                             .state = AttemptState::stopped,
                             .cause = StopCause::time_limit,
                             .node = "n1",
                             .phase = "denoise",
                             .step = 3,
                             .num_steps = 8,
                             .step_seconds = 0.5,
                             .seconds_left = 2.5,
                             .exit_code = 5};
        status.error = Error(ErrorCode::disk_full, "full\n\"quoted\"", "free some", {{"path", "/x"}});
        status.warnings = {"\xFF broken text"};
        folder().write_status(kFirst, status);
        const auto read = folder().status(kFirst);
        QVERIFY(read && read->sequence == 7 && read->state == AttemptState::stopped);
        QVERIFY(read->cause == StopCause::time_limit && read->step == 3 && read->num_steps == 8);
        QVERIFY(read->error->code() == ErrorCode::disk_full && read->error->message() == "full\n\"quoted\"");
        QCOMPARE(read->warnings.size(), std::size_t{1});
        for (const char* damaged : {"", "{}", "[1", "{\"state\": \"flying\"}", "{\"sequence\": \"x\"}"}) {
            write_file(folder().attempt(kFirst) / "status.json", damaged);
            QVERIFY2(!folder().status(kFirst), damaged);
        }
    }
};

QTEST_GUILESS_MAIN(TestTaskFolder)
#include "test_task_folder.moc"
