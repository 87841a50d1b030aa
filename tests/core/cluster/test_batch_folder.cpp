#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/cluster/known_batches.h"
#include "tests/core/cluster/temporary_task.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::cluster;
using testing::contents_of;
using testing::write_file;
namespace fs = std::filesystem;

class TestBatchFolder : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> dir_;
    fs::path dir() const { return dir_->path().toStdString(); }

private Q_SLOTS:
    void init() { dir_ = std::make_unique<QTemporaryDir>(); }

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
            write_file(batch.path() / "submissions" / "1.json", text);
            QVERIFY_THROWS_EXCEPTION(Error, batch.submissions());
        }
        write_file(batch.path() / "submissions" / "1.json",
                   R"({"number": 1, "job": "", "tasks": [5], "reason": "first", "steps": [0]})");
        QVERIFY_THROWS_EXCEPTION(Error, batch.submissions());
        write_file(batch.path() / "requests.jsonl", "");
        QVERIFY_THROWS_EXCEPTION(Error, batch.tasks());
        write_file(batch.path() / "batch.json", "{\"format\": 9}");
        QVERIFY_THROWS_EXCEPTION(Error, BatchFolder(batch.path()));
    }

    void shared_storage_that_is_not_usable_is_named() {
        write_file(dir() / "file", "");
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
        write_file(dir() / "state" / "damaged.json", "[");
        QCOMPARE(known.folders().size(), std::size_t{1});
        known.forget(batch.id());
        QVERIFY(known.folders().empty());
    }
};

QTEST_GUILESS_MAIN(TestBatchFolder)
#include "test_batch_folder.moc"
