#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/api/engine.h"
#include "core/media/frame_sink.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/support/sanitizers.h"
#include "tests/support/small_disk.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

constexpr int kSteps = 4;
constexpr rlim_t kNoStepFits = 3000;

QByteArray bytes_of(const QString& file) {
    QFile stream(file);
    return stream.open(QIODevice::ReadOnly) ? stream.readAll() : QByteArray();
}

void write(const QString& name, const QByteArray& bytes) {
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

void flip_a_bit(const QString& name) {
    QByteArray bytes = bytes_of(name);
    bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
    write(name, bytes);
}

VideoRequest without_log(VideoRequest request) {
    request.output.numeric_log.clear();
    return request;
}

std::vector<std::string> names_of(const QString& folder) {
    std::vector<std::string> names;
    for (const QString& name : QDir(folder).entryList(QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot))
        names.push_back(name.toStdString());
    return names;
}

}  // namespace

/// Tests the queue of the real engine, with the built-in model at its smallest size.
class TestQueue : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<EventRecorder> recorder_;
    std::unique_ptr<Engine> engine_;

    QString file(const QString& name) const { return folder_->filePath(name); }
    std::filesystem::path path(const QString& name) const { return file(name).toStdString(); }

    void start_engine() {
        engine_.reset();
        recorder_ = std::make_unique<EventRecorder>();
        engine_ =
            make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources", .jobs_dir = path("jobs")}, *recorder_);
    }

    VideoRequest request(const QString& name) const {
        VideoRequest request;
        request.prompt = "a red ball moving left on a blue background";
        request.width = 32;
        request.height = 32;
        request.num_frames = 9;
        request.num_inference_steps = kSteps;
        request.seed = 5;
        request.device = "cpu";
        request.threads = 1;
        request.output.file = path("out/" + name + ".mp4");
        request.output.frames = path("out/" + name + ".safetensors");
        request.output.numeric_log = path("out/" + name + ".jsonl");
        return request;
    }

    JobState state_of(JobId job) {
        for (const Job& record : engine_->jobs().list())
            if (record.id == job) return record.state;
        return JobState::running;
    }

    /// Runs a job, and starts another session as if the process had been killed before it saved the job as finished.
    JobId kill_after_saving(const VideoRequest& request) {
        QByteArray job_file;
        const auto name = [this](JobId job) { return file(QStringLiteral("jobs/%1/job.json").arg(job)); };
        recorder_->on_progress = [&](JobId job, const PhaseProgress& progress) {
            if (progress.phase == Phase::save) job_file = bytes_of(name(job));
        };
        const JobId job = engine_->jobs().submit(request);
        recorder_->wait(job);
        engine_.reset();
        write(name(job), job_file);
        start_engine();
        return job;
    }

    /// Runs a job without interruption and returns its frames.
    QByteArray unbroken_frames() {
        recorder_->wait(engine_->jobs().submit(request("unbroken")));
        return bytes_of(file("out/unbroken.safetensors"));
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", file("cache").toUtf8());
        start_engine();
    }
    void cleanup() { engine_.reset(); }

    void a_resumed_job_is_bit_identical() {
        const QByteArray expected = unbroken_frames();
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 1) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request("paused"));
        const auto paused = of_type<RunPaused>(recorder_->wait(job));
        QCOMPARE(paused.size(), std::size_t{1});
        QCOMPARE(paused[0].step, 2);
        QVERIFY(paused[0].memory_bytes > 0 || kinescope::testing::kAddressSanitizer);
        QCOMPARE(state_of(job), JobState::paused);
        QCOMPARE(names_of(file("out")),
                 (std::vector<std::string>{"paused.jsonl", "unbroken.jsonl", "unbroken.mp4", "unbroken.safetensors"}));
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, 2);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{kSteps});
        QCOMPARE(bytes_of(file("out/paused.safetensors")), expected);
        QCOMPARE(engine_->jobs().list().back().state, JobState::finished);
        QCOMPARE(engine_->jobs().list().back().output, path("out/paused.mp4"));
    }

    void a_pause_while_frames_are_decoded_keeps_the_steps() {
        const QByteArray expected = unbroken_frames();
        recorder_->on_preview = [this](JobId job, const PreviewReady& preview) {
            if (preview.kind == PreviewKind::decoded && preview.first_frame == 0)
                engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request("decoding"));
        const auto paused = of_type<RunPaused>(recorder_->wait(job));
        QCOMPARE(paused.size(), std::size_t{1});
        QCOMPARE(paused[0].step, kSteps);
        QVERIFY(!QFile::exists(file("out/decoding.mp4")));
        recorder_->on_preview = {};
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, 2);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{kSteps});
        QCOMPARE(bytes_of(file("out/decoding.safetensors")), expected);
    }

    void the_next_session_resumes_a_paused_job() {
        const QByteArray expected = unbroken_frames();
        engine_->jobs().remove(1);
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 0) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request("kept"));
        recorder_->wait(job);
        start_engine();
        const auto jobs = engine_->jobs().list();
        QCOMPARE(jobs.size(), std::size_t{1});
        QCOMPARE(jobs[0].state, JobState::paused);
        QCOMPARE(jobs[0].step, 1);
        QCOMPARE(jobs[0].num_steps, kSteps);
        QVERIFY(jobs[0].request == request("kept") || *jobs[0].request.seed == 5);
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{kSteps - 1});
        QCOMPARE(bytes_of(file("out/kept.safetensors")), expected);
        engine_->jobs().remove(job);
        QCOMPARE(names_of(file("jobs")), std::vector<std::string>{"locks"});
    }

    /// The user renamed the log of a paused job, and another run wrote its own under that name.
    void the_log_of_another_run_is_not_continued() {
        const QByteArray expected = unbroken_frames();
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 1) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request("logged"));
        QCOMPARE(of_type<RunPaused>(recorder_->wait(job)).size(), std::size_t{1});
        recorder_->on_step = {};
        QVERIFY(QFile::rename(file("out/logged.jsonl"), file("out/renamed.jsonl")));
        QVERIFY(QFile::copy(file("out/unbroken.jsonl"), file("out/logged.jsonl")));
        engine_->jobs().resume(job);
        const auto failed = of_type<RunFailed>(recorder_->wait(job, 2));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].error.code(), ErrorCode::output_exists);
        QCOMPARE(bytes_of(file("out/logged.jsonl")), bytes_of(file("out/unbroken.jsonl")));

        QVERIFY(QFile::remove(file("out/logged.jsonl")));
        QVERIFY(QFile::rename(file("out/renamed.jsonl"), file("out/logged.jsonl")));
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 3)).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("out/logged.safetensors")), expected);
        QCOMPARE(bytes_of(file("out/logged.jsonl")).count("\"record\":\"header\""), 1);
    }

    void a_suspended_job_keeps_its_last_step() {
        const QByteArray expected = unbroken_frames();
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 2) engine_->jobs().pause(job, PausePoint::at_once);
        };
        const JobId job = engine_->jobs().submit(request("suspended"));
        const auto paused = of_type<RunPaused>(recorder_->wait(job));
        QCOMPARE(paused.size(), std::size_t{1});
        QVERIFY(paused[0].step >= 2);
        QCOMPARE(state_of(job), JobState::paused);
        recorder_->on_step = {};
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 2)).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("out/suspended.safetensors")), expected);
    }

    /// The disk is full while the encoded prompt is saved, and has space again before the second step.
    void a_later_session_continues_a_job_whose_first_save_failed() {
        const QByteArray expected = unbroken_frames();
        engine_->jobs().remove(1);
        std::optional<SmallDisk> disk;
        recorder_->on_progress = [&](JobId, const PhaseProgress& progress) {
            if (progress.phase == Phase::encode) disk.emplace(kNoStepFits);
        };
        recorder_->on_step = [&](JobId job, const StepCompleted& step) {
            if (step.step == 1) disk.reset();
            if (step.step == 2) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(without_log(request("late")));
        QCOMPARE(of_type<RunPaused>(recorder_->wait(job)).at(0).step, 3);
        start_engine();
        QCOMPARE(engine_->jobs().find(job)->step, 3);
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("out/late.safetensors")), expected);
    }

    void steps_that_the_disk_does_not_take_are_kept_in_memory() {
        const QByteArray expected = unbroken_frames();
        std::optional<SmallDisk> disk;
        recorder_->on_progress = [&](JobId, const PhaseProgress& progress) {
            if (progress.phase == Phase::encode) disk.emplace(kNoStepFits);
        };
        recorder_->on_step = [&](JobId job, const StepCompleted& step) {
            if (step.step == 1) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(without_log(request("full")));
        QCOMPARE(of_type<RunPaused>(recorder_->wait(job)).at(0).step, 2);
        const Job paused = *engine_->jobs().find(job);
        QCOMPARE(paused.step, 2);
        QVERIFY(paused.error);
        QCOMPARE(paused.error->code(), ErrorCode::disk_full);
        QCOMPARE(paused.error->arguments().at("saved_steps"), std::string("0"));
        QVERIFY_THROWS_EXCEPTION(Error, engine_->jobs().hand_over(job));

        disk.reset();
        recorder_->on_progress = {};
        recorder_->on_step = [&](JobId id, const StepCompleted& step) {
            if (step.step == 2) engine_->jobs().pause(id, PausePoint::after_step);
        };
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunPaused>(recorder_->wait(job, 2)).at(1).step, 3);
        QVERIFY(!engine_->jobs().find(job)->error);
        start_engine();
        engine_->jobs().resume(job);
        QCOMPARE(of_type<StepCompleted>(recorder_->wait(job)).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("out/full.safetensors")), expected);
    }

    void only_the_previews_of_the_same_job_are_replaced() {
        VideoRequest asked = without_log(request("previewed"));
        asked.output.frames.clear();
        asked.output.preview_dir = path("out/previews");
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 1) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(asked);
        QCOMPARE(of_type<RunPaused>(recorder_->wait(job)).size(), std::size_t{1});
        recorder_->on_step = {};
        QVERIFY(!names_of(file("out/previews")).empty());
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 2)).size(), std::size_t{1});
        const QByteArray preview = bytes_of(file("out/previews/decoded_frame0000.png"));
        QVERIFY(!preview.isEmpty());

        asked.output.file = path("out/other.mp4");
        asked.seed = 6;
        const auto failed = of_type<RunFailed>(recorder_->wait(engine_->jobs().submit(asked)));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].error.code(), ErrorCode::output_exists);
        QCOMPARE(bytes_of(file("out/previews/decoded_frame0000.png")), preview);
        asked.output.overwrite = OverwriteMode::overwrite;
        QCOMPARE(of_type<RunFinished>(recorder_->wait(engine_->jobs().submit(asked))).size(), std::size_t{1});
        QVERIFY(bytes_of(file("out/previews/decoded_frame0000.png")) != preview);
    }

    void pausing_a_waiting_job_is_reported() {
        engine_->jobs().hold();
        const JobId job = engine_->jobs().submit(request("waits"));
        engine_->jobs().pause(job, PausePoint::at_once);
        QCOMPARE(of_type<RunPaused>(recorder_->wait(job)).size(), std::size_t{1});
        QCOMPARE(engine_->jobs().find(job)->state, JobState::paused);
        QVERIFY(!engine_->jobs().find(job + 1));
    }

    /// Decodes the latents of the last completed step at full size.
    void decode_now_decodes_the_last_completed_step() {
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 1) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request("early"));
        recorder_->wait(job);
        recorder_->on_step = {};
        engine_->jobs().decode_now(job);
        const auto events = recorder_->wait(job, 2);
        const auto finished = of_type<RunFinished>(events);
        QCOMPARE(finished.size(), std::size_t{1});
        QCOMPARE(finished[0].result.status, std::string("stopped"));
        QCOMPARE(finished[0].result.stopped_after_step, 2);
        QCOMPARE(finished[0].result.num_frames, 9);
        QCOMPARE(of_type<StepCompleted>(events).size(), std::size_t{2});
        QVERIFY(read_comment(path("out/early.mp4")).find("\"stopped_after_step\":2") != std::string::npos);
        QCOMPARE(*engine_->videos().read_settings(path("out/early.mp4")).num_inference_steps, kSteps);
        QCOMPARE(engine_->videos().describe_video(path("out/early.mp4")).stopped_after_step, 2);
        QVERIFY(bytes_of(file("out/early.jsonl")).contains("\"status\":\"stopped\""));
        QVERIFY(bytes_of(file("out/early.safetensors")) != unbroken_frames());
        QCOMPARE(state_of(job), JobState::finished);
    }

    void without_a_finished_step_there_is_nothing_to_decode() {
        engine_->jobs().hold();
        const JobId job = engine_->jobs().submit(request("early"));
        engine_->jobs().pause(job, PausePoint::after_step);
        QVERIFY_THROWS_EXCEPTION(Error, engine_->jobs().decode_now(job));
        QCOMPARE(state_of(job), JobState::paused);
    }

    /// A changed file stops the job but keeps the completed steps. When the original file is restored, the job can be
    /// resumed.
    void a_model_file_changed_during_a_run_is_named_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("change");
        QTest::addColumn<int>("steps");
        QTest::newRow("denoiser rewritten") << "transformer"
                                            << "rewritten" << 2;
        QTest::newRow("denoiser truncated") << "transformer"
                                            << "cut short" << 2;
        QTest::newRow("VAE missing before decoding") << "vae"
                                                     << "gone" << kSteps;
    }
    void a_model_file_changed_during_a_run_is_named() {
        QFETCH(QString, part);
        QFETCH(QString, change);
        QFETCH(int, steps);
        const QByteArray expected = unbroken_frames();
        const fs::path model = path("model");
        fs::copy(KINESCOPE_SOURCE_DIR "/resources/demo_model", model, fs::copy_options::recursive);
        const fs::path weights = model / part.toStdString() / "diffusion_pytorch_model.safetensors";
        const fs::path safe = path("safe");
        const auto time = fs::last_write_time(weights);
        fs::copy_file(weights, safe);
        recorder_->on_step = [&](JobId, const StepCompleted& step) {
            if (step.step != steps - 1) return;
            if (change == "rewritten") fs::last_write_time(weights, time + std::chrono::seconds(2));
            if (change == "cut short") fs::resize_file(weights, fs::file_size(weights) / 2);
            if (change == "gone") fs::remove(weights);
        };
        VideoRequest one = request("changed");
        one.model = model.string();
        const JobId job = engine_->jobs().submit(one);
        const auto failed = of_type<RunFailed>(recorder_->wait(job));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].error.code(), ErrorCode::file_changed);
        QVERIFY2(failed[0].error.message().find(weights.string()) != std::string::npos, failed[0].error.what());
        QVERIFY(!QFile::exists(file("out/changed.mp4")));
        QCOMPARE(engine_->jobs().find(job)->state, JobState::failed);
        QCOMPARE(engine_->jobs().find(job)->step, steps - 1);
        recorder_->on_step = {};
        fs::remove(weights);
        fs::copy_file(safe, weights);
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 2)).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("out/changed.safetensors")), expected);
    }

    void a_damaged_step_is_reported_and_repeated() {
        const QByteArray expected = unbroken_frames();
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 2) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request("damaged"));
        recorder_->wait(job);
        recorder_->on_step = {};
        flip_a_bit(file(QString("jobs/%1/step.safetensors").arg(job)));
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, 2);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        const auto said = of_type<LogLine>(events);
        QVERIFY(std::ranges::any_of(said, [](const LogLine& line) {
            return line.level == "warning" && line.text.find("continues after step 2") != std::string::npos;
        }));
        QCOMPARE(bytes_of(file("out/damaged.safetensors")), expected);
    }

    /// Damaged steps are not repeated automatically, because this could take hours.
    void damaged_steps_are_not_decoded() {
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 2) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request("damaged"));
        recorder_->wait(job);
        recorder_->on_step = {};
        for (const char* name : {"step", "step-before"})
            flip_a_bit(file(QString("jobs/%1/%2.safetensors").arg(job).arg(name)));
        engine_->jobs().decode_now(job);
        const auto failed = of_type<RunFailed>(recorder_->wait(job, 2));
        QCOMPARE(failed.size(), std::size_t{1});
        QVERIFY(failed[0].error.message().find("no finished step") != std::string::npos);
    }

    void closing_the_engine_pauses_the_running_job() {
        VideoRequest long_one = request("ended");
        long_one.num_inference_steps = 300;
        const JobId job = engine_->jobs().submit(long_one);
        while (of_type<StepCompleted>(recorder_->wait(job, 0)).empty()) QTest::qWait(5);
        start_engine();
        QCOMPARE(state_of(job), JobState::paused);
        QVERIFY(engine_->jobs().list().front().step > 0);
        QVERIFY(!QFile::exists(file("out/ended.mp4")));
        engine_->jobs().cancel(job);
        QCOMPARE(state_of(job), JobState::cancelled);
    }

    void a_job_without_a_folder_can_be_paused_too() {
        const QByteArray expected = unbroken_frames();
        EventRecorder recorder;
        const auto engine = make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources"}, recorder);
        recorder.on_step = [&](JobId job, const StepCompleted& step) {
            if (step.step == 2) engine->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine->jobs().submit(request("memory"));
        recorder.wait(job);
        engine->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder.wait(job, 2)).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("out/memory.safetensors")), expected);
    }

    void jobs_run_without_a_writable_queue_folder() {
        QFile in_the_way(file("file"));
        QVERIFY(in_the_way.open(QIODevice::WriteOnly));
        EventRecorder recorder;
        const auto engine =
            make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources", .jobs_dir = path("file/jobs")}, recorder);
        const JobId job = engine->jobs().submit(request("unkept"));
        QCOMPARE(of_type<RunFinished>(recorder.wait(job)).size(), std::size_t{1});
        engine->jobs().remove(job);
        QVERIFY(engine->jobs().list().empty());
    }

    void a_faulty_job_among_five_does_not_stop_the_others() {
        std::vector<JobId> jobs;
        engine_->jobs().hold();
        for (int i = 0; i < 5; ++i) {
            VideoRequest one = request(QString::number(i));
            if (i == 2) one.model = "/no/such/model";
            jobs.push_back(engine_->jobs().submit(one));
        }
        engine_->jobs().move(jobs[4], 0);
        for (const JobId job : jobs) QCOMPARE(state_of(job), JobState::waiting);
        std::vector<JobId> order;
        recorder_->on_step = [&](JobId job, const StepCompleted& step) {
            if (step.step == 0) order.push_back(job);
        };
        engine_->jobs().release();
        for (const JobId job : jobs) recorder_->wait(job);
        QTRY_COMPARE(state_of(jobs[3]), JobState::finished);
        QCOMPARE(order, (std::vector<JobId>{jobs[4], jobs[0], jobs[1], jobs[3]}));
        QCOMPARE(state_of(jobs[2]), JobState::failed);
        QVERIFY(!QFile::exists(file("out/2.mp4")));
        for (const char* name : {"0", "1", "3", "4"})
            QCOMPARE(bytes_of(file(QString("out/%1.safetensors").arg(name))), bytes_of(file("out/0.safetensors")));
    }

    void waiting_jobs_can_be_edited_and_failed_jobs_retried() {
        engine_->jobs().hold();
        VideoRequest wrong = request("edited");
        wrong.width = 33;
        const JobId job = engine_->jobs().submit(wrong);
        const JobId other = engine_->jobs().submit(request("removed"));
        engine_->jobs().remove(other);
        engine_->jobs().release();
        QCOMPARE(of_type<RunFailed>(recorder_->wait(job)).size(), std::size_t{1});
        QVERIFY_THROWS_EXCEPTION(Error, engine_->jobs().edit(job, request("edited")));
        engine_->jobs().hold();
        engine_->jobs().retry(job);
        engine_->jobs().edit(job, request("edited"));
        engine_->jobs().release();
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 2)).size(), std::size_t{1});
        QVERIFY_THROWS_EXCEPTION(Error, engine_->jobs().retry(job));
        QCOMPARE(engine_->jobs().list().size(), std::size_t{1});
        QVERIFY(!QFile::exists(file("out/removed.mp4")));
    }

    /// Without its upscaler, a job can neither continue nor be decoded.
    void finished_steps_become_a_video_without_the_finish_steps() {
        const QByteArray expected = unbroken_frames();
        const QString upscaler = file("upscaler.safetensors");
        QVERIFY(QFile::copy(KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors", upscaler));
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 1) engine_->jobs().pause(job, PausePoint::after_step);
        };
        VideoRequest upscaled = request("upscaled");
        upscaled.finish.upscaler = upscaler.toStdString();
        const JobId job = engine_->jobs().submit(upscaled);
        recorder_->wait(job);
        QVERIFY(QFile::remove(upscaler));
        engine_->jobs().resume(job);
        const auto failed = of_type<RunFailed>(recorder_->wait(job, 2));
        QCOMPARE(failed.size(), std::size_t{1});
        QVERIFY2(failed[0].error.hint().find("--skip-finish") != std::string::npos, failed[0].error.hint().c_str());
        VideoRequest plain = engine_->jobs().find(job)->request;
        plain.finish = {};
        VideoRequest other = plain;
        other.seed = 6;
        QVERIFY_THROWS_EXCEPTION(Error, engine_->jobs().edit(job, other));
        resume_without_finish(engine_->jobs(), job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 3)).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("out/upscaled.safetensors")), expected);
        QVERIFY_THROWS_EXCEPTION(Error, engine_->jobs().edit(job, upscaled));
    }

    void an_edited_job_does_not_report_the_video_before_the_edit() {
        VideoRequest plain = request("edited");
        plain.output.overwrite = OverwriteMode::overwrite;
        const JobId job = kill_after_saving(plain);
        VideoRequest upscaled = engine_->jobs().find(job)->request;
        upscaled.finish.upscaler = KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors";
        engine_->jobs().edit(job, upscaled);
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job)).size(), std::size_t{1});
        QCOMPARE(engine_->videos().describe_video(path("out/edited.mp4")).width, 64);
    }

    /// The new video would have to replace the complete one.
    void a_job_whose_video_is_complete_cannot_be_edited() {
        VideoRequest upscaled = request("complete");
        upscaled.finish.upscaler = KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors";
        const JobId job = kill_after_saving(upscaled);
        QVERIFY_THROWS_EXCEPTION(Error, resume_without_finish(engine_->jobs(), job));
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QVERIFY(of_type<StepCompleted>(events).empty());
    }

    void a_job_that_another_program_has_finished_cannot_be_edited() {
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 1) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request("elsewhere"));
        recorder_->wait(job);
        start_engine();
        VideoRequest upscaled = engine_->jobs().find(job)->request;
        upscaled.finish.upscaler = KINESCOPE_TEST_DATA "/finish/nearest_x2.safetensors";
        {
            EventRecorder recorder;
            const auto other =
                make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources", .jobs_dir = path("jobs")}, recorder);
            other->jobs().resume(job);
            QCOMPARE(of_type<RunFinished>(recorder.wait(job)).size(), std::size_t{1});
        }
        QVERIFY_THROWS_EXCEPTION(Error, engine_->jobs().edit(job, upscaled));
        start_engine();
        QCOMPARE(engine_->jobs().find(job)->state, JobState::finished);
        QVERIFY(engine_->jobs().find(job)->request.finish.is_empty());
    }

    void an_edit_without_a_change_keeps_the_video() {
        const JobId job = kill_after_saving(request("same"));
        engine_->jobs().edit(job, engine_->jobs().find(job)->request);
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QVERIFY(of_type<StepCompleted>(events).empty());
    }

    /// The process was killed before it gave the video its final name.
    void a_job_that_starts_over_replaces_the_frames_of_its_killed_run() {
        const JobId job = kill_after_saving(request("again"));
        QVERIFY(QFile::remove(file("out/again.mp4")) && QFile::exists(file("out/again.safetensors")));
        engine_->jobs().retry(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job)).size(), std::size_t{1});
    }

    /// The process was killed before it gave the video its final name, and another run wrote its frames meanwhile.
    void frames_of_another_run_are_not_removed() {
        const JobId job = kill_after_saving(request("again"));
        QVERIFY(QFile::remove(file("out/again.mp4")));
        QVERIFY(QFile::rename(file("out/again.safetensors"), file("out/own.safetensors")));
        write(file("out/again.safetensors"), "of another run");
        engine_->jobs().retry(job);
        const auto failed = of_type<RunFailed>(recorder_->wait(job));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].error.code(), ErrorCode::output_exists);
        QCOMPARE(bytes_of(file("out/again.safetensors")), QByteArray("of another run"));
    }

    void frames_that_appear_during_a_run_are_not_replaced_data() {
        QTest::addColumn<bool>("overwrite");
        QTest::newRow("refuse") << false;
        QTest::newRow("overwrite") << true;
    }
    void frames_that_appear_during_a_run_are_not_replaced() {
        QFETCH(bool, overwrite);
        const QByteArray expected = unbroken_frames();
        VideoRequest asked = request("appeared");
        if (overwrite) asked.output.overwrite = OverwriteMode::overwrite;
        recorder_->on_step = [this](JobId, const StepCompleted& step) {
            if (step.step == 1) write(file("out/appeared.safetensors"), "of another run");
        };
        const auto events = recorder_->wait(engine_->jobs().submit(asked));
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("out/appeared.safetensors")), overwrite ? expected : QByteArray("of another run"));
        QCOMPARE(QFile::exists(file("out/appeared-1.safetensors")), !overwrite);
        if (overwrite) return;
        QCOMPARE(bytes_of(file("out/appeared-1.safetensors")), expected);
        const auto lines = of_type<LogLine>(events);
        QVERIFY(std::any_of(lines.begin(), lines.end(), [](const LogLine& line) {
            return line.level == "warning" && line.text.ends_with("appeared-1.safetensors");
        }));
    }

    void jobs_of_an_earlier_session_wait_for_resume() {
        engine_->jobs().hold();
        const JobId first = engine_->jobs().submit(request("first"));
        const JobId second = engine_->jobs().submit(request("second"));
        start_engine();
        const JobId own = engine_->jobs().submit(request("own"));
        recorder_->wait(own);
        QCOMPARE(state_of(first), JobState::waiting);
        QCOMPARE(state_of(second), JobState::waiting);
        engine_->jobs().resume(second);
        recorder_->wait(second);
        QCOMPARE(state_of(first), JobState::waiting);
        engine_->jobs().release();
        QCOMPARE(of_type<RunFinished>(recorder_->wait(first)).size(), std::size_t{1});
    }

    void two_programs_do_not_take_the_same_job() {
        engine_->jobs().hold();
        const JobId job = engine_->jobs().submit(request("shared"));
        EventRecorder recorder;
        const auto another =
            make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources", .jobs_dir = path("jobs")}, recorder);
        QVERIFY(another->jobs().list().empty());
        engine_.reset();
        const auto third =
            make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources", .jobs_dir = path("jobs")}, recorder);
        QCOMPARE(third->jobs().list().size(), std::size_t{1});
        start_engine();
        engine_->jobs().hold();
        engine_->jobs().resume(job);
        QVERIFY_THROWS_EXCEPTION(Error, third->jobs().resume(job));
    }

    void engines_with_one_folder_hand_jobs_over() {
        const auto by_order = [this](EventRecorder& recorder) {
            return make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources",
                                .jobs_dir = path("jobs"),
                                .job_start = JobStart::by_order,
                                .device = "cpu"},
                               recorder);
        };
        EventRecorder recorders[2];
        const auto a = by_order(recorders[0]);
        const auto b = by_order(recorders[1]);
        VideoRequest shared = request("shared");
        shared.device = "auto";
        const JobId job = a->jobs().submit(shared);
        QVERIFY_THROWS_EXCEPTION(Error, b->jobs().start(job, RemainingSteps::computed));  // a holds its lock
        a->jobs().hand_over(job);
        QCOMPARE(a->jobs().find(job)->state, JobState::waiting);
        b->jobs().start(job, RemainingSteps::computed);
        QCOMPARE(of_type<RunFinished>(recorders[1].wait(job)).size(), std::size_t{1});
        QVERIFY(of_type<RunStarted>(recorders[0].wait(job, 0)).empty());
        QVERIFY_THROWS_EXCEPTION(Error, a->jobs().start(job, RemainingSteps::computed));  // it is over
        b->jobs().remove(job);
        a->jobs().remove(job);
        QVERIFY(a->jobs().list().empty());
        QVERIFY_THROWS_EXCEPTION(Error, b->jobs().start(job, RemainingSteps::computed));  // it is deleted
        const JobId again = b->jobs().submit(request("again"));
        QVERIFY_THROWS_EXCEPTION(Error, a->jobs().pause(again, PausePoint::at_once));  // b holds its lock
        b->jobs().start(again, RemainingSteps::computed);
        recorders[1].wait(again);
        QCOMPARE(bytes_of(file("out/again.safetensors")), bytes_of(file("out/shared.safetensors")));
        const JobId left = b->jobs().submit(request("left"));
        b->jobs().hand_over(left);
        a->jobs().pause(left, PausePoint::at_once);  // a has never listed it
        QCOMPARE(a->jobs().find(left).value().state, JobState::paused);
        a->jobs().remove(again);
        QCOMPARE(a->jobs().list().size(), std::size_t{1});
    }

    void every_change_of_the_queue_is_reported() {
        engine_->jobs().hold();
        const JobId job = engine_->jobs().submit(request("told"));
        engine_->jobs().pause(job, PausePoint::after_step);
        engine_->jobs().remove(job);
        const auto told = of_type<QueueChanged>(recorder_->wait(0, 0));
        QCOMPARE(told.size(), std::size_t{3});
        QCOMPARE(told[0].jobs.at(0).state, JobState::waiting);
        QCOMPARE(told[1].jobs.at(0).state, JobState::paused);
        QVERIFY(told[2].jobs.empty());
    }

    void frames_of_a_video_can_be_read() {
        VideoRequest made = request("read");
        recorder_->wait(engine_->jobs().submit(made));
        QCOMPARE(engine_->videos().read_frames(made.output.file, {}).size(), std::size_t{9});
        const auto few = engine_->videos().read_frames(made.output.file, {.max_frames = 3, .max_width_px = 16});
        QCOMPARE(few.size(), std::size_t{3});
        QCOMPARE(few[0]->width, 16);
        QCOMPARE(few[0]->height, 16);
        QVERIFY_THROWS_EXCEPTION(Error, engine_->videos().read_frames(path("none.mp4"), {}));
    }
};

QTEST_GUILESS_MAIN(TestQueue)
#include "test_queue.moc"
