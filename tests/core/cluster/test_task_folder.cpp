#include <sys/resource.h>
#include <sys/stat.h>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>

#include "core/api/video_request_json.h"
#include "core/base/json_checksum.h"
#include "core/cluster/import_result.h"
#include "core/cluster/known_batches.h"
#include "tests/support/failing_readdir.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::cluster;
using testing::contents_of;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

/// A PNG file, up to its pixels, that Kinescope has made.
std::string frame_of_kinescope() {
    using namespace std::string_literals;
    return "\x89PNG\r\n\x1a\n"s + "\0\0\0\x0dIHDR"s + std::string(17, '\0') +
           "\0\0\0\x16iTXtSoftware\0\0\0\0\0Kinescope"s + std::string(4, '\0');
}

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

const AttemptKey kFirst{1, 0};
const AttemptKey kRequeued{1, 1};
const AttemptKey kAgain{2, 0};

}  // namespace

class TestTaskFolder : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> dir_;
    fs::path dir() const { return dir_->path().toStdString(); }
    TaskFolder folder() const { return TaskFolder(dir() / "task"); }

    /// Makes a complete attempt with a video and a log.
    void finish(const AttemptKey& key, const std::string& video) const {
        folder().claim(key);
        write(folder().outputs(key) / "video.mp4", video);
        write(folder().outputs(key) / "numeric.jsonl", "log of " + video);
        const Json outcome = {{"status", "completed"}, {"output", "out/video.mp4"}, {"seconds", 2.5}};
        const std::string text = describe_outputs(folder().outputs(key), outcome).dump();
        write(folder().outputs(key) / kResultFile, text);
    }
    VideoTask task() const {
        return {.request = {},
                .files = {{"video.mp4", dir() / "home" / "a.mp4"}, {"numeric.jsonl", dir() / "home" / "a.jsonl"}}};
    }

private Q_SLOTS:
    void init() { dir_ = std::make_unique<QTemporaryDir>(); }

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
        write(folder().result() / "video.mp4", "lost");
        finish(kRequeued, "whole");
        QVERIFY(by_the_next ? folder().publish_finished_attempt() : folder().publish(kRequeued));
        QVERIFY(folder().has_result() && folder().has_damaged_result());
        QCOMPARE(contents_of(folder().result() / "video.mp4"), std::string("whole"));
        import_result(folder(), task());
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("whole"));
    }

    void incomplete_outputs_do_not_replace_a_result_without_a_description() {
        write(folder().result() / "video.mp4", "lost");
        folder().claim(kFirst);
        write(folder().outputs(kFirst) / "video.mp4", "half");
        QVERIFY_THROWS_EXCEPTION(Error, folder().publish(kFirst));
        QCOMPARE(contents_of(folder().result() / "video.mp4"), std::string("lost"));
    }

    void a_finished_attempt_that_was_killed_is_published_by_the_next() {
        QVERIFY(!folder().publish_finished_attempt());
        folder().claim(kFirst);
        write(folder().outputs(kFirst) / "video.mp4", "half");
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
        write(job / "job.json", R"({"state": "running"})");
        write(job / "part-1" / "conditioning.safetensors", "condition");
        write(job / "part-1" / "frames.mkv", "frames");
        write(job / "part-1" / "result.json", "{}");
        write(job / "part-2" / "conditioning.safetensors", "condition");
        write(job / "part-2" / "step.safetensors", "step");
        write(job / large.toStdString(), std::string(100'000, 'v'));
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
        write(job / "job.json", R"({"state": "running"})");
        write(job / "conditioning.safetensors", "condition");
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
        write(job / "job.json",
              R"({"base": "/old", "pid": 5, "saved": {"device": 1, "inode": 2}, "state": "running"})");
        write(job / "conditioning.safetensors", "condition");
        write(job / "step.safetensors", "step 3");
        write(job / "step-before.safetensors", "step 2");
        write(job / "continued.json", "stamp");
        write(folder().outputs(kFirst) / "numeric.jsonl", "log");
        write(folder().outputs(kFirst) / ".video.mp4.part", "half");
        folder().claim(kRequeued);
        QVERIFY(folder().adopt_saved_step(kRequeued));
        const fs::path adopted = folder().jobs(kRequeued) / kJobName;
        fs::rename(job / "step.safetensors", job / "step-before.safetensors");
        write(job / "step.safetensors", "step 4");
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
            write(job / "job.json", document.dump());
            write(job / "conditioning.safetensors", condition);
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
        write(folder().jobs(kFirst) / kJobName / "job.json", "{}");
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
            write(folder().attempt(kFirst) / "status.json", damaged);
            QVERIFY2(!folder().status(kFirst), damaged);
        }
    }

    void a_result_gets_its_final_names() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        import_result(folder(), task());
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("video"));
        QCOMPARE(contents_of(dir() / "home" / "a.jsonl"), std::string("log of video"));
        QVERIFY(fs::exists(folder().path() / "imported.json") && folder().attempts().empty());
        const TaskResult result = read_result(folder(), task());
        QCOMPARE(result.seconds, 2.5);
        QCOMPARE(result.outcome["output"].get<std::string>(), (dir() / "home" / "a.mp4").string());
    }

    void an_existing_file_is_not_replaced() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        write(dir() / "home" / "a.mp4", "mine");
        QVERIFY_THROWS_EXCEPTION(Error, import_result(folder(), task()));
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("mine"));
        QCOMPARE(contents_of(folder().result() / "video.mp4"), std::string("video"));
        VideoTask replacing = task();
        replacing.overwrite = OverwriteMode::overwrite;
        import_result(folder(), replacing);
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("video"));
    }

    /// The computer stopped between the copy of a file and the removal of its source.
    void an_interrupted_import_goes_on() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        write(dir() / "home" / "a.jsonl", "log of video");
        import_result(folder(), task());
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("video"));
        QVERIFY(!fs::exists(folder().result() / "numeric.jsonl"));
    }

    void a_damaged_result_is_not_imported_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");  // null: the file is missing
        QTest::newRow("video of the same size") << "video.mp4"
                                                << "VIDEO";
        QTest::newRow("video cut off") << "video.mp4"
                                       << "";
        QTest::newRow("video missing") << "video.mp4" << QString();
        QTest::newRow("description empty") << kResultFile << "";
        QTest::newRow("description cut off") << kResultFile << "{\"format\": 1, \"fil";
        QTest::newRow("description without files") << kResultFile << "{}";
        QTest::newRow("description without the video") << kResultFile << "{\"files\": {\"video.mp4\": 3}}";
    }
    void a_damaged_result_is_not_imported() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        finish(kFirst, "video");
        folder().publish(kFirst);
        const fs::path file = folder().result() / name.toStdString();
        text.isNull() ? static_cast<void>(fs::remove(file)) : write(file, text.toStdString());
        try {
            import_result(folder(), task());
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::file_changed);
            QVERIFY(error.message().find(file.string()) != std::string::npos);
            QVERIFY(error.hint().find("cluster resume makes the video again") != std::string::npos);
        }
        QVERIFY(!fs::exists(dir() / "home"));
        QVERIFY(!fs::exists(folder().path() / "imported.json"));
    }

    void a_damaged_log_does_not_discard_the_video_data() {
        QTest::addColumn<QString>("text");  // null: the file is missing
        QTest::newRow("damaged") << "log of other";
        QTest::newRow("missing") << QString();
    }
    void a_damaged_log_does_not_discard_the_video() {
        QFETCH(QString, text);
        finish(kFirst, "video");
        folder().publish(kFirst);
        const fs::path log = folder().result() / "numeric.jsonl";
        text.isNull() ? static_cast<void>(fs::remove(log)) : write(log, text.toStdString());
        const auto warnings = import_result(folder(), task());
        QCOMPARE(warnings.size(), std::size_t{1});
        QVERIFY2(warnings[0].find((dir() / "home" / "a.jsonl").string()) != std::string::npos, warnings[0].c_str());
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("video"));
        QVERIFY(!fs::exists(dir() / "home" / "a.jsonl") && fs::exists(folder().path() / "imported.json"));
    }

    void nothing_is_placed_while_a_name_is_taken() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        const fs::path home = dir() / "home";
        write(home / "a.mp4", "mine");
        QVERIFY_THROWS_EXCEPTION(Error, import_result(folder(), task()));
        QVERIFY(!fs::exists(home / "a.jsonl") && fs::exists(folder().result() / "numeric.jsonl"));
        fs::rename(home / "a.mp4", home / "mine.mp4");
        QVERIFY(import_result(folder(), task()).empty());
        QCOMPARE(contents_of(home / "a.mp4"), std::string("video"));
        QCOMPARE(contents_of(home / "a.jsonl"), std::string("log of video"));
    }

    /// The user moves what an import has placed before it failed.
    void a_placed_file_may_be_moved_on() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        VideoTask wanted = task();
        write(dir() / "home" / "videos", "a file");
        wanted.files[0].target = dir() / "home" / "videos" / "a.mp4";
        QVERIFY_THROWS_EXCEPTION(Error, import_result(folder(), wanted));
        const fs::path log = wanted.files[1].target;
        QCOMPARE(contents_of(log), std::string("log of video"));
        fs::rename(log, dir() / "log of the video");
        fs::remove(dir() / "home" / "videos");
        QVERIFY(import_result(folder(), wanted).empty());
        QCOMPARE(contents_of(wanted.files[0].target), std::string("video"));
        QVERIFY(!fs::exists(log) && !fs::exists(folder().placed()));
    }

    /// The import was killed after it had placed the video.
    void a_placed_video_may_be_moved_on() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        for (const char* name : {"video.mp4", "numeric.jsonl"}) fs::remove(folder().result() / name);
        write(folder().placed(), R"(["numeric.jsonl", "video.mp4"])");
        QVERIFY(import_result(folder(), task()).empty());
        QVERIFY(fs::exists(folder().path() / "imported.json"));
    }

    /// /dev/shm is another file system than the temporary folder on most systems; the test is true in both cases.
    void a_file_is_moved_to_another_file_system() {
        QTemporaryDir other("/dev/shm/kinescope-test-XXXXXX");
        if (!other.isValid()) QSKIP("there is no /dev/shm");
        finish(kFirst, std::string(3'000'000, 'v'));
        folder().publish(kFirst);
        VideoTask there = task();
        there.files = {{"video.mp4", fs::path(other.path().toStdString()) / "deep" / "a.mp4"}};
        import_result(folder(), there);
        QCOMPARE(contents_of(there.files[0].target).size(), std::size_t{3'000'000});
        QVERIFY(!fs::exists(folder().result() / "video.mp4"));
    }

    void frames_of_a_folder_are_moved_one_by_one() {
        folder().claim(kFirst);
        for (const char* name : {"00000.png", "00001.png"}) write(folder().outputs(kFirst) / "video" / name, name);
        const std::string text = describe_outputs(folder().outputs(kFirst), Json::object()).dump();
        write(folder().outputs(kFirst) / kResultFile, text);
        folder().publish(kFirst);
        const VideoTask frames{.request = {}, .files = {{"video", dir() / "frames"}}};
        fs::rename(folder().result() / "video" / "00001.png", dir() / "kept");
        QVERIFY_THROWS_EXCEPTION(Error, import_result(folder(), frames));
        fs::rename(dir() / "kept", folder().result() / "video" / "00001.png");
        import_result(folder(), frames);
        QCOMPARE(contents_of(dir() / "frames" / "00001.png"), std::string("00001.png"));
    }

    void a_folder_of_frames_gets_its_name_as_a_whole_data() {
        QTest::addColumn<QStringList>("there");  // "own": frames of Kinescope; "other": another file
        QTest::addColumn<bool>("overwrite");
        QTest::addColumn<bool>("is_imported");
        QTest::newRow("empty folder") << QStringList{} << false << true;
        QTest::newRow("frames") << QStringList{"own"} << false << false;
        QTest::newRow("frames, overwrite") << QStringList{"own"} << true << true;
        QTest::newRow("another file") << QStringList{"other"} << false << false;
        QTest::newRow("another file, overwrite") << QStringList{"own", "other"} << true << false;
    }
    /// On the file system of the result, and on another one if there is one.
    void a_folder_of_frames_gets_its_name_as_a_whole() {
        QFETCH(QStringList, there);
        QFETCH(bool, overwrite);
        QFETCH(bool, is_imported);
        const QTemporaryDir other("/dev/shm/kinescope-test-XXXXXX");
        for (const fs::path& home : {dir() / "home", fs::path(other.path().toStdString())}) {
            if (!other.isValid() && home != dir() / "home") continue;
            const fs::path target = home / "frames";
            fs::create_directories(target);
            if (there.contains("own"))
                for (const char* name : {"00000.png", "00001.png", "00002.png"})
                    write(target / name, frame_of_kinescope());
            if (there.contains("other")) write(target / "mine.txt", "mine");
            const TaskFolder task(dir() / home.filename() / "task");
            task.claim(kFirst);
            for (const char* name : {"00000.png", "00001.png"}) write(task.outputs(kFirst) / "video" / name, name);
            write(task.outputs(kFirst) / kResultFile, describe_outputs(task.outputs(kFirst), Json::object()).dump());
            task.publish(kFirst);
            VideoTask wanted{.request = {}, .files = {{"video", target}}};
            if (overwrite) wanted.overwrite = OverwriteMode::overwrite;
            if (!is_imported) {
                QVERIFY_THROWS_EXCEPTION(Error, import_result(task, wanted));
                QVERIFY(!fs::exists(target / "00000.png") || contents_of(target / "00000.png") == frame_of_kinescope());
                QCOMPARE(fs::exists(target / "mine.txt"), there.contains("other"));
                QVERIFY(fs::exists(task.result() / "video" / "00000.png"));
                continue;
            }
            import_result(task, wanted);
            QCOMPARE(std::distance(fs::directory_iterator(target), fs::directory_iterator()), std::ptrdiff_t{2});
            QCOMPARE(contents_of(target / "00001.png"), std::string("00001.png"));
            QVERIFY(!fs::exists(task.result() / "video"));
            const QDir folder(QString::fromStdString(home.string()));
            QVERIFY(folder.entryList({"*.part"}, QDir::Files | QDir::Dirs | QDir::Hidden).isEmpty());
        }
    }

    /// The computer stopped between the copy of the folder and the removal of its source.
    void an_interrupted_import_of_frames_goes_on() {
        folder().claim(kFirst);
        write(folder().outputs(kFirst) / "video" / "00000.png", "frame");
        write(folder().outputs(kFirst) / kResultFile,
              describe_outputs(folder().outputs(kFirst), Json::object()).dump());
        folder().publish(kFirst);
        write(dir() / "frames" / "00000.png", "frame");
        import_result(folder(), {.request = {}, .files = {{"video", dir() / "frames"}}});
        QVERIFY(!fs::exists(folder().result() / "video") && fs::exists(folder().path() / "imported.json"));
    }

    void a_live_log_follows_an_attempt() {
        LiveLog log;
        const fs::path target = dir() / "copy";
        const auto copy = [&] { return contents_of(target); };
        log.update(dir() / "missing", target);
        QCOMPARE(copy(), std::string());
        write(dir() / "one", "1\n");
        log.update(dir() / "one", target);
        std::ofstream(dir() / "one", std::ios::app) << "2\n";
        log.update(dir() / "one", target);
        log.update(dir() / "one", target);
        QCOMPARE(copy(), std::string("1\n2\n"));
        write(dir() / "two", "1\n");
        log.update(dir() / "two", target);
        QCOMPARE(copy(), std::string("1\n"));
    }

    void outputs_of_a_request_become_plain_names() {
        VideoRequest request;
        request.output.file = dir() / "it's\n\"$(id)\" \xE6\x96\x87.mp4";
        request.output.numeric_log = "relative.jsonl";
        request.output.overwrite = OverwriteMode::overwrite;
        const VideoTask task = make_task(request);
        QCOMPARE(task.request.output.file, fs::path("out/video.mp4"));
        QCOMPARE(task.request.output.numeric_log, fs::path("out/numeric.jsonl"));
        QVERIFY(task.request.output.overwrite == OverwriteMode::refuse);
        QVERIFY(task.overwrite == OverwriteMode::overwrite);
        QVERIFY(!task.request.threads);  // those of the CPUs that Slurm grants when the task starts
        QCOMPARE(task.files.at(0).target, request.output.file);
        QCOMPARE(task.files.at(1).target, fs::current_path() / "relative.jsonl");
        request.output.file = dir() / "frames/";
        QCOMPARE(make_task(request).files.at(0).target, dir() / "frames");
        fs::create_directories(dir() / "real" / "deep");
        fs::create_directory_symlink(dir() / "real" / "deep", dir() / "link");
        request.output.file = dir() / "link/../a.mp4";  // real/a.mp4
        QCOMPARE(make_task(request).files.at(0).target, dir() / "link/../a.mp4");
    }

    void a_batch_round_trips() {
        VideoRequest request;
        request.prompt = "a \"b\"\nc \xE6\x96\x87 ' $(id)";
        request.seed = 7;
        request.output.file = dir() / "it's\n.mp4";
        const SlurmOptions options{.partition = "p", .program = "/x"};
        const auto batch = BatchFolder::create(dir(), options, {make_task(request), make_task({})});
        const BatchFolder read(batch.path());
        QCOMPARE(read.id(), batch.id());
        QCOMPARE(read.num_tasks(), 2);
        QVERIFY(read.options() == options);
        QCOMPARE(read.task(1).request.prompt, request.prompt);
        QCOMPARE(read.tasks().at(0).files.at(0).target, request.output.file);
        QVERIFY(read.submissions().empty() && read.cancelled().empty());
        Submission made{.number = 1, .job = "17", .tasks = {2}, .reason = SubmissionReason::automatic, .steps = {4}};
        read.add(made);
        QCOMPARE(read.submission(1).job, std::string("17"));
        QVERIFY(read.submissions().at(0).reason == SubmissionReason::automatic);
        QVERIFY(contents_of(read.script(1)).find("--submission 1") != std::string::npos);
        read.write_cancelled({2});
        QVERIFY(read.is_cancelled(2) && !read.is_cancelled(1));
        fs::remove(batch.path() / "cancelled.json");
        fs::create_symlink("cancelled.json", batch.path() / "cancelled.json");  // it cannot be read now
        QVERIFY_THROWS_EXCEPTION(Error, read.cancelled());
    }

    /// Two programs submit tasks at the same time.
    void a_number_of_a_submission_is_given_once() {
        const auto batch = BatchFolder::create(dir(), {}, {make_task({}), make_task({})});
        Submission first{.number = 1, .tasks = {1}, .steps = {0}};
        Submission second{.number = 1, .tasks = {2}, .steps = {0}};
        batch.add(first);
        batch.add(second);
        QCOMPARE(first.number, 1);
        QCOMPARE(second.number, 2);
        QCOMPARE(batch.submission(1).tasks, std::vector{1});
        QCOMPARE(batch.submission(2).tasks, std::vector{2});
        QVERIFY(contents_of(batch.script(1)).find("--submission 1") != std::string::npos);
        QVERIFY(contents_of(batch.script(2)).find("--submission 2") != std::string::npos);
        first.job = "17";
        batch.write(first);
        QCOMPARE(batch.submissions().size(), std::size_t{2});
        QCOMPARE(batch.submission(1).job, std::string("17"));
    }

    void damaged_batches_are_refused() {
        const auto batch = BatchFolder::create(dir(), {}, {make_task({})});
        QVERIFY_THROWS_EXCEPTION(Error, BatchFolder(dir() / "nowhere"));
        for (const char* text : {"", "{}", "{\"format\": 2}", "[]"}) {
            write(batch.path() / "submissions" / "1.json", text);
            QVERIFY_THROWS_EXCEPTION(Error, batch.submissions());
        }
        write(batch.path() / "submissions" / "1.json",
              R"({"number": 1, "job": "", "tasks": [5], "reason": "first", "steps": [0]})");
        QVERIFY_THROWS_EXCEPTION(Error, batch.submissions());
        write(batch.path() / "requests.jsonl", "");
        QVERIFY_THROWS_EXCEPTION(Error, batch.tasks());
        write(batch.path() / "batch.json", "{\"format\": 9}");
        QVERIFY_THROWS_EXCEPTION(Error, BatchFolder(batch.path()));
    }

    void shared_storage_that_is_not_usable_is_named() {
        write(dir() / "file", "");
        try {
            BatchFolder::create(dir() / "file", {}, {make_task({})});
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::output_not_writable);
            QVERIFY(error.message().find("shared storage is not usable") != std::string::npos);
        }
    }

    void known_batches() {
        const KnownBatches known(dir() / "state");
        QVERIFY(known.folders().empty());
        QVERIFY_THROWS_EXCEPTION(Error, known.find(""));
        const auto batch = BatchFolder::create(dir(), {}, {make_task({})});
        known.remember(batch.id(), batch.path());
        QCOMPARE(known.find(""), batch.path());
        QCOMPARE(known.find(batch.id()), batch.path());
        QCOMPARE(known.find(batch.path().string()), batch.path());
        QVERIFY_THROWS_EXCEPTION(Error, known.find("other"));
        write(dir() / "state" / "damaged.json", "[");
        QCOMPARE(known.folders().size(), std::size_t{1});
        known.forget(batch.id());
        QVERIFY(known.folders().empty());
    }
};

QTEST_GUILESS_MAIN(TestTaskFolder)
#include "test_task_folder.moc"
