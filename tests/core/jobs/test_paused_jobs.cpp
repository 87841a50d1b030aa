#include <QDir>
#include <QFile>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "core/api/steps_of_other_setup.h"
#include "core/base/json.h"
#include "core/media/frame_sink.h"
#include "tests/core/jobs/queue_fixture.h"
#include "tests/support/sanitizers.h"
#include "tests/support/small_disk.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

constexpr rlim_t kNoStepFits = 3000;

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

/// Jobs that stop before their end: what is kept of them, and how they continue.
class TestPausedJobs : public QueueFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { start_in_empty_folder(); }
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
        QCOMPARE(jobs[0].request.prompt, request("kept").prompt);
        QCOMPARE(jobs[0].request.seed, request("kept").seed);
        QCOMPARE(jobs[0].request.output.file, path("out/kept.mp4"));
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
        QCOMPARE(finished[0].result.status, RunStatus::stopped);
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

    /// One bit between the samples of the weights, or one value of a config, is enough for another video.
    void a_model_that_changed_while_the_job_was_paused_is_refused_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("weights") << "transformer/diffusion_pytorch_model.safetensors";
        QTest::newRow("config") << "vae/config.json";
        QTest::newRow("schedule") << "scheduler/scheduler_config.json";
    }
    void a_model_that_changed_while_the_job_was_paused_is_refused() {
        QFETCH(QString, name);
        const QByteArray expected = unbroken_frames();
        fs::copy(KINESCOPE_SOURCE_DIR "/resources/demo_model", path("model"), fs::copy_options::recursive);
        const QString changed = file("model/" + name);
        VideoRequest asked = request("refused");
        asked.model = path("model").string();
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 1) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(asked);
        recorder_->wait(job);
        recorder_->on_step = {};
        const QByteArray before = bytes_of(changed);
        QByteArray after = before;
        if (name.endsWith("json")) {
            after.replace("\"flow_shift\": ", "\"flow_shift\": 1").replace("-0.00243", "-0.10243");
        } else {
            const auto offset = after.size() / 64 * 30 + 5003;
            after[offset] = static_cast<char>(after[offset] ^ 1);
        }
        QVERIFY(after != before);
        write(changed, after);
        engine_->jobs().resume(job);
        const auto failed = of_type<RunFailed>(recorder_->wait(job, 2));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].error.argument("cause"), std::string(kStepsOfOtherSetup));
        QCOMPARE(engine_->jobs().find(job)->step, 2);
        write(changed, before);
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 3)).size(), std::size_t{1});
        QCOMPARE(bytes_of(file("out/refused.safetensors")), expected);
    }

    /// A job file without a checksum may have been edited by hand.
    void steps_are_continued_only_with_the_request_that_made_them_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("seed") << "seed"
                              << "7";
        QTest::newRow("steps") << "num_inference_steps"
                               << "5";
        QTest::newRow("prompt") << "prompt"
                                << "\"a blue ball\"";
    }
    void steps_are_continued_only_with_the_request_that_made_them() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 1) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(without_log(request("edited")));
        recorder_->wait(job);
        engine_.reset();
        const fs::path name = path(QString("jobs/%1/job.json").arg(job));
        Json json = read_json(name);
        json.erase("checksum");
        json["request"][key.toStdString()] = parse_json(value.toStdString());
        write(QString::fromStdString(name.string()), QByteArray::fromStdString(json.dump()));
        start_engine();
        engine_->jobs().resume(job);
        const auto failed = of_type<RunFailed>(recorder_->wait(job));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(failed[0].error.argument("cause"), std::string(kStepsOfOtherSetup));
        QVERIFY(!QFile::exists(file("out/edited.mp4")));
        engine_->jobs().retry(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 2)).size(), std::size_t{1});
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
            return line.level == LogLineLevel::warning && line.text.find("continues after step 2") != std::string::npos;
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
        QTRY_VERIFY_WITH_TIMEOUT(!of_type<StepCompleted>(recorder_->wait(job, 0)).empty(), 60'000);
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
};

QTEST_GUILESS_MAIN(TestPausedJobs)
#include "test_paused_jobs.moc"
