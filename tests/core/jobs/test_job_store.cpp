#include <sys/resource.h>
#include <unistd.h>

#include <QDir>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <fstream>

#include "core/api/engine.h"
#include "core/base/atomic_file.h"
#include "core/base/json_checksum.h"
#include "core/jobs/queue/job_store.h"
#include "tests/support/failing_calls.h"
#include "tests/support/failing_readdir.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using testing::contents_of;

namespace {

namespace fs = std::filesystem;

JobFile job_with_everything() {
    VideoRequest request;
    request.prompt = "a red ball";
    request.seed = 7;
    request.output.file = "clip.mp4";
    JobFile job = make_job_file(0, request);
    job.job.state = JobState::failed;
    job.job.num_steps = 12;
    job.job.error = Error(ErrorCode::disk_full, "no space", "free some", {{"path", "/tmp"}});
    job.job.output = "/tmp/clip.mp4";
    job.pid = 12345;
    job.has_begun = true;
    job.inputs = {{"/pictures/a.png", {.bytes = 3, .changed = 4}}};
    job.video = {.number = {3, 4},
                 .result = {.status = RunStatus::healed, .num_frames = 25, .guard_actions = 2},
                 .tensors = {{5, 6}, {5, 7}}};
    return job;
}

}  // namespace

class TestJobStore : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> folder_;
    fs::path dir() const { return folder_->filePath("jobs").toStdString(); }

    JobId add(const JobStore& store, JobState state = JobState::waiting) const {
        JobFile job = job_with_everything();
        job.job.state = state;
        store.add(job, 1);
        return job.job.id;
    }

    fs::path first_job_file() const { return dir() / "1" / "job.json"; }

    /// Replaces a text in the file of the first job, as damage does.
    void damage_job_file(const QString& from, const QString& to) const {
        const QString before = QString::fromStdString(contents_of(first_job_file()));
        QVERIFY2(before.contains(from), qPrintable(before));
        write_file_atomically(first_job_file(), QString(before).replace(from, to).toStdString());
    }

    /// Replaces a text in the file of the first job, as a program does that writes it.
    void replace_in_job_file(const QString& from, const QString& to) const {
        damage_job_file(from, to);
        write_file_atomically(first_job_file(), with_checksum(read_json(first_job_file())).dump(1));
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void jobs_round_trip() {
        const JobStore store(dir());
        JobFile job = job_with_everything();
        {
            const JobFolder folder = store.add(job, 1);
            const JobFile read = folder.read();
            QVERIFY(read.job.request == job.job.request);
        }
        QCOMPARE(job.job.id, JobId{1});
        const FoundJobs found = store.list();
        QCOMPARE(found.jobs.size(), std::size_t{1});
        const JobFile& read = found.jobs[0];
        QCOMPARE(read.job.state, JobState::failed);
        QCOMPARE(read.job.num_steps, 12);
        QCOMPARE(read.job.created, job.job.created);
        QCOMPARE(read.job.output, job.job.output);
        QCOMPARE(read.job.error->code(), ErrorCode::disk_full);
        QCOMPARE(read.job.error->arguments().at("path"), std::string("/tmp"));
        QCOMPARE(read.mark, job.mark);
        QCOMPARE(read.pid, job.pid);
        QVERIFY(read.has_begun);
        QCOMPARE(read.inputs.at("/pictures/a.png").bytes, std::int64_t{3});
        QCOMPARE(read.inputs.at("/pictures/a.png").changed, std::int64_t{4});
        QVERIFY(read.video->number == job.video->number && read.video->tensors == job.video->tensors);
        QCOMPARE(read.video->result.status, RunStatus::healed);
        QCOMPARE(read.video->result.num_frames, 25);
        QCOMPARE(read.video->result.guard_actions, 2);
    }

    void a_job_of_an_earlier_version_has_no_stamps() {
        Json json = to_json(job_with_everything());
        json.erase("inputs");
        const JobFile read = job_file_from(json);
        QVERIFY(read.inputs.empty());
        QVERIFY(warnings_about_changed(read.inputs, read.job.request, InputsToRead::all).empty());
    }

    void a_video_of_an_earlier_version_has_no_saved_result() {
        JobFile job = job_with_everything();
        job.job.request.num_frames = 9;
        Json json = to_json(job);
        json["saved"].erase("result");
        json["saved"].erase("tensors");
        const JobFile read = job_file_from(json);
        QVERIFY(read.video->number == job.video->number);
        QCOMPARE(read.video->result.status, RunStatus::completed);
        QCOMPARE(read.video->result.num_frames, 9);
    }

    void an_unknown_status_of_a_newer_version_is_read() {
        Json json = to_json(job_with_everything());
        QCOMPARE(json["saved"]["result"]["status"].get<std::string>(), std::string("healed"));
        json["saved"]["result"]["status"] = "mended";
        QCOMPARE(job_file_from(json).video->result.status, RunStatus::completed);
    }

    void a_running_job_is_listed_as_interrupted() {
        const JobStore store(dir());
        add(store, JobState::running);
        QCOMPARE(store.list().jobs.at(0).job.state, JobState::interrupted);
        QCOMPARE(store.take(1)->read().job.state, JobState::interrupted);
    }

    void relative_outputs_do_not_depend_on_the_working_directory() {
        const JobStore store(dir());
        add(store);
        const fs::path before = fs::current_path();
        fs::current_path(folder_->path().toStdString());
        const fs::path output = store.list().jobs.at(0).job.request.output.file;
        fs::current_path(before);
        QCOMPARE(output, before / "clip.mp4");
    }

    void only_one_process_can_take_a_job() {
        const JobStore store(dir());
        add(store);
        auto first = store.take(1);
        QVERIFY(first);
        QVERIFY(!store.take(1));
        QVERIFY(store.list().jobs.empty());
        first.reset();
        QVERIFY(store.take(1));
        QVERIFY(!store.take(2));
    }

    void a_file_system_without_locks_saves_jobs_data() {
        QTest::addColumn<int>("error");
        QTest::newRow("NFS without its lock service") << ENOLCK;
        QTest::newRow("Lustre mounted without flock") << ENOSYS;
        QTest::newRow("other file systems") << EOPNOTSUPP;
    }
    void a_file_system_without_locks_saves_jobs() {
        QFETCH(int, error);
        QString failure;
        bool is_free = true;
        const bool is_called = testing::call_with_error(SYS_fcntl, static_cast<std::uint32_t>(error), [&] {
            try {
                const JobStore store(dir());
                JobFile job = job_with_everything();
                const JobFolder held = store.add(job, 1);
                is_free = store.take(1).has_value();
            } catch (const Error& refusal) {
                failure = refusal.what();
            }
        });
        if (!is_called) QSKIP("system calls cannot be filtered here");
        QCOMPARE(failure, QString());
        QVERIFY(!is_free);
        QVERIFY(JobStore(dir()).take(1));
    }

    /// The engine keeps the folders of all jobs of a batch open, which can be thousands. Each must not need a file
    /// descriptor.
    void many_jobs_need_one_descriptor() {
        constexpr rlim_t kFew = 64;
        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        const rlimit few{kFew, before.rlim_max};
        const auto widen = qScopeGuard([&] { setrlimit(RLIMIT_NOFILE, &before); });
        setrlimit(RLIMIT_NOFILE, &few);
        const JobStore store(dir());
        std::vector<JobFolder> held;
        for (rlim_t i = 0; i < 4 * kFew; ++i) {
            JobFile job = job_with_everything();
            held.push_back(store.add(job, static_cast<JobId>(i) + 1));
            QCOMPARE(job.job.id, static_cast<JobId>(i) + 1);
        }
        QVERIFY(JobStore(dir()).list().jobs.empty());
        held.erase(held.begin() + 10);
        QCOMPARE(JobStore(dir()).list().jobs.size(), std::size_t{1});
    }

    void two_stores_exclude_each_other() {
        const JobStore one(dir()), other(dir());
        JobFile job = job_with_everything();
        std::optional<JobFolder> held = one.add(job, 1);
        QVERIFY(!other.take(1));
        QVERIFY(other.list().jobs.empty());
        JobFile next = job_with_everything();
        other.add(next, 1);
        QCOMPARE(next.job.id, JobId{2});
        held.reset();
        QVERIFY(other.take(1));
    }

    void only_the_owner_may_read_jobs() {
        fs::create_directories(dir());
        fs::permissions(dir(), fs::perms::all);
        const JobStore store(dir());
        add(store);
        const auto modes = [](const fs::path& path) { return fs::status(path).permissions() & fs::perms::all; };
        QCOMPARE(modes(dir()), fs::perms::owner_all);
        QCOMPARE(modes(dir() / "1"), fs::perms::owner_all);
        QCOMPARE(modes(dir() / "1" / "job.json"), fs::perms::owner_read | fs::perms::owner_write);
    }

    void jobs_of_another_user_are_left_alone() {
        constexpr uid_t kNobody = 65534;
        const JobStore store(dir());
        add(store);
        add(store);
        if (::chown((dir() / "1").c_str(), kNobody, kNobody) != 0) QSKIP("only root can change the owner of a file");
        FoundJobs found = store.list();
        QCOMPARE(found.jobs.size(), std::size_t{1});
        QCOMPARE(found.jobs[0].job.id, JobId{2});
        QVERIFY(!store.take(1));
        QCOMPARE(::chown(dir().c_str(), kNobody, kNobody), 0);
        found = store.list();
        QVERIFY(found.jobs.empty());
        QCOMPARE(found.skipped.size(), std::size_t{1});
        JobFile job = job_with_everything();
        QVERIFY_THROWS_EXCEPTION(Error, store.add(job, 1));
    }

    /// Any user could create a folder with a predictable name in the shared temporary directory.
    void without_a_home_no_shared_folder_is_used() {
        const QByteArray home = qgetenv("HOME"), state = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] {
            qputenv("HOME", home);
            if (!state.isEmpty()) qputenv("XDG_STATE_HOME", state);
        });
        qunsetenv("HOME");
        qunsetenv("XDG_STATE_HOME");
        QVERIFY(default_jobs_dir() != fs::temp_directory_path() / "kinescope" / "jobs");
    }

    void the_order_is_kept_and_new_jobs_come_last() {
        const JobStore store(dir());
        for (int i = 0; i < 3; ++i) add(store);
        store.write_order({3, 1, 2});
        add(store);
        std::vector<JobId> order;
        for (const JobFile& job : store.list().jobs) order.push_back(job.job.id);
        QCOMPARE(order, (std::vector<JobId>{3, 1, 2, 4}));
        write_file_atomically(dir() / "order.json", "nonsense");
        QCOMPARE(store.list().jobs.size(), std::size_t{4});
    }

    void a_new_job_does_not_take_the_position_of_a_deleted_one() {
        const JobStore store(dir());
        for (int i = 0; i < 3; ++i) add(store);
        store.write_order({3, 2, 1});
        store.take(3)->remove();
        QCOMPARE(add(store), JobId{3});
        std::vector<JobId> order;
        for (const JobFile& job : store.list().jobs) order.push_back(job.job.id);
        QCOMPARE(order, (std::vector<JobId>{2, 1, 3}));
    }

    void damaged_jobs_have_failed_with_a_reason_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("half") << QByteArray("{\"format\": 1, \"state\": \"wai");
        QTest::newRow("a list") << QByteArray("[1, 2]");
        QTest::newRow("no format of any version") << QByteArray("{\"format\": 0}");
        QTest::newRow("no object as the request") << QByteArray(
            "{\"format\": 1, \"base\": \"/\", \"mark\": \"\", \"pid\": 0, \"has_begun\": false, \"request\": 3}");
        QTest::newRow("no job") << QByteArray("{\"format\": 1}");
        QTest::newRow("deeply nested") << QByteArray(100000, '[');
    }
    void damaged_jobs_have_failed_with_a_reason() {
        QFETCH(QByteArray, text);
        const JobStore store(dir());
        add(store);
        add(store);
        write_file_atomically(dir() / "1" / "job.json", text.toStdString());
        const FoundJobs found = store.list();
        QCOMPARE(found.jobs.size(), std::size_t{2});
        QCOMPARE(found.jobs[0].job.id, JobId{1});
        QCOMPARE(found.jobs[0].job.state, JobState::failed);
        QCOMPARE(found.jobs[0].job.error.value().arguments().at("cause"), std::string("damaged_job"));
        QCOMPARE(found.skipped.size(), std::size_t{1});
        QVERIFY2(found.skipped[0].find("job.json") != std::string::npos, found.skipped[0].c_str());
        QCOMPARE(found.jobs[0].job.error->hint(),
                 std::string("The file is damaged or was edited by hand. Discard the job."));
        try {
            store.take(1)->read();
            QFAIL("a damaged job was read");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::bad_config);
            QCOMPARE(error.arguments().at("cause"), std::string("damaged_job"));
        }
    }

    /// One bit is enough for another video.
    void another_value_does_not_match_the_checksum_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("seed") << "\"seed\": 7"
                              << "\"seed\": 3";
        QTest::newRow("prompt") << "a red ball"
                                << "a rad ball";
        QTest::newRow("state") << "\"state\": \"waiting\""
                               << "\"state\": \"paused\"";
        QTest::newRow("name of a field") << "\"prompt\""
                                         << "\"prompu\"";
    }
    void another_value_does_not_match_the_checksum() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        const JobStore store(dir());
        add(store);
        damage_job_file(from, to);
        const FoundJobs found = store.list();
        QCOMPARE(found.jobs.at(0).job.state, JobState::failed);
        QCOMPARE(found.jobs[0].job.error.value().argument("cause"), std::string("damaged_job"));
        QVERIFY2(found.skipped.at(0).find("checksum does not match") != std::string::npos, found.skipped[0].c_str());
        QVERIFY_THROWS_EXCEPTION(Error, store.take(1)->read());
        QVERIFY(fs::exists(first_job_file()));
    }

    void a_job_of_an_earlier_version_has_no_checksum() {
        const JobStore store(dir());
        add(store);
        Json json = read_json(first_job_file());
        QVERIFY(json.erase("checksum") == 1);
        json["request"]["seed"] = 8;
        write_file_atomically(first_job_file(), json.dump(1));
        QCOMPARE(store.list().jobs.at(0).job.request.seed, std::optional<std::uint64_t>(8));
        QVERIFY(store.list().skipped.empty());
        const auto folder = store.take(1);
        folder->write(folder->read());
        QVERIFY(read_json(first_job_file()).contains("checksum"));
    }

    /// A job that is listed as damaged can be removed by mistake.
    void jobs_of_a_later_version_are_not_damaged_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("format") << "\"format\": 1"
                                << "\"format\": 2";
        QTest::newRow("field of the request") << "\"prompt\""
                                              << "\"prompt_of_tomorrow\"";
        QTest::newRow("value of a field") << "\"seed\": 7"
                                          << "\"seed\": \"seven\"";
        QTest::newRow("word of a field") << "\"dtype\": \"auto\""
                                         << "\"dtype\": \"fp4\"";
    }
    void jobs_of_a_later_version_are_not_damaged() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        const JobStore store(dir());
        add(store);
        replace_in_job_file(from, to);
        const FoundJobs found = store.list();
        QCOMPARE(found.jobs.size(), std::size_t{0});
        QCOMPARE(found.skipped.size(), std::size_t{1});
        QVERIFY2(found.skipped[0].find("later version of Kinescope") != std::string::npos, found.skipped[0].c_str());
        QVERIFY(store.contains(1));
    }

    void a_job_that_cannot_be_read_is_not_damaged() {
        const JobStore store(dir());
        add(store);
        add(store);
        fs::remove(dir() / "1" / "job.json");
        fs::create_directory(dir() / "1" / "job.json");  // reading fails for root, too
        std::ofstream(dir() / "1" / "job.json" / "mine.txt") << "mine";
        const FoundJobs found = store.list();
        QCOMPARE(found.jobs.size(), std::size_t{1});
        QCOMPARE(found.jobs[0].job.id, JobId{2});
        QCOMPARE(found.skipped.size(), std::size_t{1});
        QVERIFY2(found.skipped[0].find("Cannot read") != std::string::npos, found.skipped[0].c_str());
    }

    /// Files that name themselves stand for storage that does not answer: the system cannot tell whether they exist.
    void a_job_that_cannot_be_found_now_is_kept() {
        const JobStore store(dir());
        add(store);
        fs::rename(dir() / "1" / "job.json", dir() / "1" / "kept.part");
        fs::create_symlink("job.json", dir() / "1" / "job.json");
        const FoundJobs found = store.list();
        QVERIFY(found.jobs.empty());
        QCOMPARE(found.skipped.size(), std::size_t{1});
        QVERIFY2(found.skipped[0].find("Cannot read") != std::string::npos, found.skipped[0].c_str());
        QVERIFY(store.contains(1));
        fs::rename(dir() / "1" / "kept.part", dir() / "1" / "job.json");
        QCOMPARE(store.list().jobs.size(), std::size_t{1});
    }

    void a_failing_disk_removes_nothing() {
        const JobStore store(dir());
        add(store);
        FoundJobs found;
        bool is_there = false;
        const bool is_called = testing::call_with_error(SYS_newfstatat, EIO, [&] {
            found = store.list();
            is_there = store.contains(1);
        });
        if (!is_called) QSKIP("system calls cannot be filtered here");
        QVERIFY(is_there && found.jobs.empty());
        QCOMPARE(found.skipped.size(), std::size_t{1});
        QVERIFY2(found.skipped[0].find("cannot be read now") != std::string::npos, found.skipped[0].c_str());
        QCOMPARE(store.list().jobs.size(), std::size_t{1});
    }

    /// A job that is listed without its steps could be cleared as one that has none.
    void a_job_whose_steps_cannot_be_counted_now_is_not_listed() {
        const JobStore store(dir());
        add(store);
        const fs::path step = dir() / "1" / "step.safetensors";
        std::ofstream(dir() / "1" / "conditioning.safetensors") << "condition";
        fs::create_symlink(step.filename(), step);
        const FoundJobs found = store.list();
        QVERIFY(found.jobs.empty());
        QCOMPARE(found.skipped.size(), std::size_t{1});
        QVERIFY2(found.skipped[0].find(step.string()) != std::string::npos, found.skipped[0].c_str());
        QVERIFY_THROWS_EXCEPTION(Error, store.take(1)->read());
        fs::remove(step);
        QCOMPARE(store.list().jobs.size(), std::size_t{1});
    }

    void values_of_a_wrong_type_count_as_damage_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("state") << "\"state\": \"waiting\""
                               << "\"state\": \"dancing\"";
        QTest::newRow("state is a number") << "\"state\": \"waiting\""
                                           << "\"state\": 3";
        QTest::newRow("saved") << "\"inode\": 4"
                               << "\"inode\": \"x\"";
    }
    void values_of_a_wrong_type_count_as_damage() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        const JobStore store(dir());
        add(store);
        replace_in_job_file(from, to);
        const FoundJobs found = store.list();
        QCOMPARE(found.jobs.at(0).job.state, JobState::failed);
        QCOMPARE(found.skipped.size(), std::size_t{1});
    }

    void foreign_files_are_not_touched() {
        const JobStore store(dir());
        add(store);
        write_file_atomically(dir() / "readme.txt", "mine");
        fs::create_directories(dir() / "photos");
        fs::create_directories(dir() / "17");
        write_file_atomically(dir() / "17" / "mine.txt", "mine");
        QCOMPARE(store.list().jobs.size(), std::size_t{1});
        QCOMPARE(store.list().skipped.size(), std::size_t{3});
        QVERIFY(fs::exists(dir() / "17" / "mine.txt") && fs::exists(dir() / "photos"));
    }

    void an_interrupted_removal_is_completed() {
        const JobStore store(dir());
        add(store);
        fs::remove(dir() / "1" / "job.json");
        std::ofstream(dir() / "1" / "step.safetensors.12-0.part") << "half";
        const FoundJobs found = store.list();
        QVERIFY(found.jobs.empty() && found.skipped.empty());
        QVERIFY(!fs::exists(dir() / "1"));
    }

    /// Another computer that shares the folder cannot see the process that adds the job.
    void only_the_old_folder_of_a_new_job_is_removed() {
        const JobStore store(dir());
        add(store);
        const fs::path folder = dir() / ".new-2999999-0";
        fs::create_directory(folder);
        fs::copy_file(dir() / "1" / "job.json", folder / "job.json");
        QCOMPARE(store.list().jobs.size(), std::size_t{1});
        QVERIFY(fs::exists(folder / "job.json"));
        fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(25));
        QCOMPARE(store.list().jobs.size(), std::size_t{1});
        QVERIFY(!fs::exists(folder));
    }

    void a_removed_job_leaves_nothing() {
        const JobStore store(dir());
        add(store);
        store.take(1)->remove();
        QVERIFY(!fs::exists(dir() / "1"));
        QVERIFY(store.list().jobs.empty());
    }

    void a_folder_that_cannot_be_written_is_an_error() {
        write_file_atomically(folder_->filePath("file").toStdString(), "");
        const JobStore store(folder_->filePath("file/jobs").toStdString());
        JobFile job = job_with_everything();
        QVERIFY_THROWS_EXCEPTION(Error, store.add(job, 1));
        QVERIFY(store.list().jobs.empty());
    }

    /// A job starts on the worker's thread, on which an exception would end the engine.
    void a_folder_that_cannot_be_read_to_its_end_does_not_end_the_engine() {
        const JobStore store(dir());
        for (int i = 0; i < 3; ++i) add(store);
        JobFile job = job_with_everything();
        job.job.request.output.file = dir() / "clip.mp4";
        job.job.request.output.frames = dir() / "frames.safetensors";
        constexpr int kCalls = 2;
        {
            const testing::FailingReaddir failing(kCalls);
            remove_leftovers(job);
        }
        FoundJobs found;
        {
            const testing::FailingReaddir failing(kCalls);
            found = store.list();
        }
        if (found.skipped.empty()) QSKIP("readdir() cannot be replaced here");
        QVERIFY(found.jobs.size() < 3);
        QVERIFY2(found.skipped.at(0).find("cannot be read completely now") != std::string::npos,
                 found.skipped[0].c_str());
    }

    void only_leftovers_of_a_killed_process_are_removed() {
        const fs::path out = folder_->path().toStdString();
        JobFile job = job_with_everything();
        job.job.request.output.file = out / "clip.mp4";
        job.job.request.output.frames = out / "frames.safetensors";
        const fs::path video = out / (".clip.part-" + job.mark + "-00c0ffee.mp4");
        const fs::path foreign = out / ".clip.part-00000000-00c0ffee.mp4";
        for (const fs::path& file : {video, foreign, out / "frames.safetensors.12345-0.part",
                                     out / "frames.safetensors.999-0.part", out / "frames.safetensors"})
            std::ofstream(file) << "x";
        job.job.request.output.latents = out / "latents.safetensors";
        std::ofstream(out / "latents.safetensors") << "of another run";
        job.video->tensors = {*file_number(out / "frames.safetensors")};
        remove_leftovers(job);
        QCOMPARE(contents_of(out / "latents.safetensors"), std::string("of another run"));
        QVERIFY(!fs::exists(video) && !fs::exists(out / "frames.safetensors.12345-0.part"));
        QVERIFY(!fs::exists(out / "frames.safetensors"));
        QVERIFY(fs::exists(foreign) && fs::exists(out / "frames.safetensors.999-0.part"));
    }
};

QTEST_GUILESS_MAIN(TestJobStore)
#include "test_job_store.moc"
