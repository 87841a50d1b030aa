// The window's way to a Slurm cluster: `serve --slurm` in another process, and `serve --keep --slurm` as another
// computer. run.sh starts the cluster.
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <cstdlib>

#include "core/api/slurm_reason.h"
#include "core/base/piped_child.h"
#include "tests/app/other_computer.h"

using namespace kinescope;
using namespace kinescope::testing;
namespace fs = std::filesystem;

namespace {

constexpr int kLongRun = 400;  // steps; long enough for a few polls

/// Runs a command of Slurm. Returns its output.
std::string run(const std::vector<std::string>& words) {
    PipedChild child("/usr/bin/env", words);
    child.input().close();
    std::string text;
    std::array<std::uint8_t, 4096> buffer{};
    while (const std::size_t count = child.output().read_some(buffer))
        text.append(reinterpret_cast<const char*>(buffer.data()), count);
    child.wait(60);
    return text;
}

/// An engine whose jobs run on the cluster.
class ClusterEngineProcess {
public:
    ClusterEngineProcess() { fs::create_directory(shared()); }
    void open() {
        std::vector<std::string> arguments = {"--resources",  kResources, "serve",  "--jobs", file("jobs"), "--slurm",
                                              "--shared-dir", shared(),   "--cpus", "1",      "--poll",     "0.5"};
        engine_ =
            remote::make_remote_engine({.program = kProgram, .arguments = arguments, .version = kVersion}, recorder);
    }
    void close() { engine_.reset(); }
    Engine* operator->() { return engine_.get(); }
    std::string file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }
    std::string shared() const { return file("shared"); }
    Job job(JobId id) { return engine_->jobs().find(id).value_or(Job()); }

    EventRecorder recorder;

private:
    QTemporaryDir folder_;
    std::unique_ptr<Engine> engine_;
};

/// What "Test connection" in the window says about a cluster with this option.
std::string refusal_of(const std::string& option, const std::string& variable = "A=b") {
    const OtherComputer there;
    const QTemporaryDir shared;
    const std::string command = "env " + variable + there.command().substr(std::string("env").size());
    UsedComputer computer(command + " --slurm --shared-dir " + shared.path().toStdString() + " " + option);
    try {
        computer.engine().facts();
    } catch (const Error& error) {
        return error.message();
    }
    return {};
}

/// Makes a folder a file system of 32 MiB, which can be filled.
class SmallStorage {
public:
    explicit SmallStorage(std::string folder) : folder_(std::move(folder)) {
        run({"mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", folder_});
        is_mounted_ = fs::space(folder_).capacity == (std::uintmax_t{32} << 20);
    }
    ~SmallStorage() {
        if (is_mounted_) run({"umount", "--lazy", folder_});
    }
    bool is_mounted() const { return is_mounted_; }
    void fill() const {
        std::ofstream file(folder_ + "/filler", std::ios::binary);
        while (file << std::string(4096, 'x') << std::flush) continue;
    }
    void free() const { fs::remove(folder_ + "/filler"); }

private:
    const std::string folder_;
    bool is_mounted_ = false;
};

std::string names_in_queue() {
    return run({"squeue", "--noheader", "--states=PENDING,RUNNING", "--format=%j"});
}

}  // namespace

class TestQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_video_of_the_cluster_equals_a_local_one() {
        ClusterEngineProcess engine;
        engine.open();
        VideoRequest request = small_request(engine.file("a.mp4"), 1);
        request.output.numeric_log = engine.file("a.jsonl");
        const JobId job = engine->jobs().submit(request);
        const auto events = engine.recorder.wait(job);
        for (const RunFailed& failed : of_type<RunFailed>(events)) QFAIL(failed.error.what());
        const RunResult result = of_type<RunFinished>(events).at(0).result;
        QCOMPARE(result.output, request.output.file);
        QCOMPARE(result.num_frames, 9);
        QCOMPARE(of_type<RunStarted>(events).at(0).request.output.file, request.output.file);
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{4});
        QVERIFY(of_type<StepCompleted>(events)[0].latents.std > 0);
        const auto previews = of_type<PreviewReady>(events);
        QCOMPARE(previews.at(0).kind, PreviewKind::latent);
        QVERIFY(previews.back().kind == PreviewKind::decoded && previews.back().frames.size() == 9);
        QVERIFY(contents_of(request.output.file) == local_videos(1)[0]);
        QVERIFY(contents_of(request.output.numeric_log).find("\"summary\"") != std::string::npos);
        QTRY_VERIFY(fs::is_empty(engine.shared()));
    }

    void a_running_video_is_cancelled() {
        ClusterEngineProcess engine;
        engine.open();
        const JobId job = engine->jobs().submit(small_request(engine.file("a.mp4"), 1, kLongRun));
        QTRY_VERIFY_WITH_TIMEOUT(engine.job(job).step > 2, 60'000);
        engine->jobs().cancel(job);
        QCOMPARE(of_type<RunCancelled>(engine.recorder.wait(job)).size(), std::size_t{1});
        QCOMPARE(engine.job(job).state, JobState::cancelled);
        QVERIFY(!fs::exists(engine.file("a.mp4")));
        QTRY_COMPARE_WITH_TIMEOUT(names_in_queue(), std::string(), 20'000);
    }

    void a_paused_video_goes_on_after_its_last_step() {
        ClusterEngineProcess engine;
        engine.open();
        const JobId job = engine->jobs().submit(small_request(engine.file("a.mp4"), 1, kLongRun));
        QTRY_VERIFY_WITH_TIMEOUT(engine.job(job).step > 2, 60'000);
        engine->jobs().pause(job, PausePoint::after_step);
        const auto paused = of_type<RunPaused>(engine.recorder.wait(job));
        QCOMPARE(paused.size(), std::size_t{1});
        QVERIFY(paused[0].step > 2);
        engine->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(engine.recorder.wait(job, 2)).size(), std::size_t{1});
        QVERIFY(contents_of(engine.file("a.mp4")) == local_videos(1, kLongRun)[0]);
    }

    void a_paused_video_is_decoded() {
        ClusterEngineProcess engine;
        engine.open();
        const JobId job = engine->jobs().submit(small_request(engine.file("a.mp4"), 1, kLongRun));
        QTRY_VERIFY_WITH_TIMEOUT(engine.job(job).step > 2, 60'000);
        engine->jobs().pause(job, PausePoint::after_step);
        const auto paused = of_type<RunPaused>(engine.recorder.wait(job));
        QCOMPARE(paused.size(), std::size_t{1});
        engine->jobs().decode_now(job);
        const auto finished = of_type<RunFinished>(engine.recorder.wait(job, 2));
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(finished[0].result.stopped_after_step, paused[0].step);
        QVERIFY(fs::exists(engine.file("a.mp4")));
    }

    void an_engine_that_starts_again_finds_its_jobs() {
        ClusterEngineProcess engine;
        engine.open();
        std::vector<JobId> jobs;
        for (int seed = 1; seed <= 3; ++seed)
            jobs.push_back(
                engine->jobs().submit(small_request(engine.file(std::to_string(seed) + ".mp4"), seed, kLongRun)));
        QTRY_VERIFY_WITH_TIMEOUT(engine.job(jobs[0]).step > 2, 60'000);
        engine.close();
        QVERIFY(!names_in_queue().empty());
        engine.open();
        const auto videos = local_videos(3, kLongRun);
        for (int seed = 1; seed <= 3; ++seed) {
            const auto events = engine.recorder.wait(jobs[std::size_t(seed - 1)]);
            QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
            QVERIFY(contents_of(engine.file(std::to_string(seed) + ".mp4")) == videos[std::size_t(seed - 1)]);
        }
    }

    void an_engine_that_was_killed_is_replaced_and_submits_nothing_twice() {
        ClusterEngineProcess engine;
        engine.open();
        const JobId job = engine->jobs().submit(small_request(engine.file("a.mp4"), 1, kLongRun));
        QTRY_VERIFY_WITH_TIMEOUT(engine.job(job).step > 2, 60'000);
        QVERIFY(::kill(newest_connection(), SIGKILL) == 0);
        const auto events = engine.recorder.wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QVERIFY(contents_of(engine.file("a.mp4")) == local_videos(1, kLongRun)[0]);
    }

    void a_full_quota_is_said_and_nothing_is_lost() {
        ClusterEngineProcess engine;
        const SmallStorage storage(engine.shared());
        if (!storage.is_mounted()) QSKIP("no file system can be mounted here");
        engine.open();
        engine->jobs().list();  // it has started
        storage.fill();
        const JobId job = engine->jobs().submit(small_request(engine.file("a.mp4"), 1, kLongRun));
        const auto refused = of_type<RunFailed>(engine.recorder.wait(job));
        QCOMPARE(refused.size(), std::size_t{1});
        QCOMPARE(refused[0].error.code(), ErrorCode::disk_full);
        storage.free();
        engine->jobs().resume(job);
        QTRY_VERIFY_WITH_TIMEOUT(engine.job(job).step > 2, 60'000);
        storage.fill();
        QTRY_VERIFY_WITH_TIMEOUT(engine.job(job).waits_for == kStorageFullReason || is_over(engine.job(job).state),
                                 30'000);
        storage.free();
        if (of_type<RunFinished>(engine.recorder.wait(job, 2)).empty()) {
            QCOMPARE(engine.job(job).error->code(), ErrorCode::disk_full);
            engine->jobs().resume(job);
            QCOMPARE(of_type<RunFinished>(engine.recorder.wait(job, 3)).size(), std::size_t{1});
        }
        QVERIFY(contents_of(engine.file("a.mp4")) == local_videos(1, kLongRun)[0]);
    }

    void a_cluster_is_another_computer() {
        const OtherComputer there;
        QTemporaryDir shared;
        const std::string command =
            there.command() + " --slurm --cpus 1 --poll 0.5 --shared-dir " + shared.path().toStdString();
        UsedComputer computer(command);
        VideoRequest request = small_request(computer.file("out/a.mp4"), 1, kLongRun);
        request.output.numeric_log = computer.file("out/a.jsonl");
        const JobId job = computer->jobs().submit(request);
        QTRY_VERIFY_WITH_TIMEOUT(computer->jobs().find(job)->step > 2, 60'000);
        computer.close();  // the window is closed
        QTest::qWait(1000);
        computer.open();
        const auto events = computer.recorder.wait(job);
        for (const RunFailed& failed : of_type<RunFailed>(events)) QFAIL(failed.error.what());
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QVERIFY(contents_of(request.output.file) == local_videos(1, kLongRun)[0]);
        QTRY_COMPARE(computer.engine().status().num_open_jobs, 0);
        QTRY_COMPARE_WITH_TIMEOUT(computer.names(), (QStringList{"a.jsonl", "a.mp4"}), 20'000);
    }

    void what_the_cluster_refuses_is_said_at_once_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("message");
        QTest::newRow("partition") << "--partition=nowhere"
                                   << "the partition 'nowhere' does not exist";
        QTest::newRow("time limit") << "--time=soon"
                                    << "'soon' is not a time limit";
        QTest::newRow("memory") << "--mem=900GiB"
                                << "no node of the partition";
        QTest::newRow("size") << "--mem=much"
                              << "'much' is not a size";
        QTest::newRow("graphics card") << "--gres=gpu:7"
                                       << "no";
    }
    void what_the_cluster_refuses_is_said_at_once() {
        QFETCH(QString, option);
        QFETCH(QString, message);
        const QString said = QString::fromStdString(refusal_of(option.toStdString()));
        QVERIFY2(said.contains(message), qPrintable(said));
    }

    void a_computer_without_slurm_is_no_cluster() {
        const QString said = QString::fromStdString(refusal_of("--cpus 1", "PATH=/nowhere"));
        QVERIFY2(said.contains("Slurm's command 'sbatch' was not found"), qPrintable(said));
    }
};

QTEST_MAIN(TestQueue)
#include "test_queue.moc"
