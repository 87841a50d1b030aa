#include <QFile>
#include <QTest>
#include <algorithm>

#include "tests/core/jobs/queue_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

/// Jobs that are edited, retried and kept over sessions, and programs that share a queue.
class TestQueue : public QueueFixture {
    Q_OBJECT

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

private Q_SLOTS:
    void init() { start_in_empty_folder(); }
    void cleanup() { engine_.reset(); }

    void pausing_a_waiting_job_is_reported() {
        engine_->jobs().hold();
        const JobId job = engine_->jobs().submit(request("waits"));
        engine_->jobs().pause(job, PausePoint::at_once);
        QCOMPARE(of_type<RunPaused>(recorder_->wait(job)).size(), std::size_t{1});
        QCOMPARE(engine_->jobs().find(job)->state, JobState::paused);
        QVERIFY(!engine_->jobs().find(job + 1));
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
            QCOMPARE(bytes_of(file(QString("out/%1.safetensors").arg(name))),
                     written_bytes_of(file("out/0.safetensors")));
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
            return line.level == LogLineLevel::warning && line.text.ends_with("appeared-1.safetensors");
        }));
    }

    void inputs_that_change_while_a_job_waits_are_reported_data() {
        QTest::addColumn<QString>("replacement");
        QTest::addColumn<bool>("warns");
        QTest::newRow("another size") << "sound_only.mp4" << true;
        QTest::newRow("another time") << "tone.wav" << true;
        QTest::newRow("unchanged") << "" << false;
    }
    void inputs_that_change_while_a_job_waits_are_reported() {
        QFETCH(QString, replacement);
        QFETCH(bool, warns);
        const QString data = QStringLiteral(KINESCOPE_TEST_DATA "/finish/");
        write(file("sound.wav"), bytes_of(data + "tone.wav"));
        VideoRequest asked = request("replaced");
        asked.finish.audio.file = path("sound.wav");
        engine_->jobs().hold();
        const JobId job = engine_->jobs().submit(asked);
        if (!replacement.isEmpty()) {
            QVERIFY(QFile::remove(file("sound.wav")));
            write(file("sound.wav"), bytes_of(data + replacement));
        }
        start_engine();  // the stamp is saved with the job
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        const auto lines = of_type<LogLine>(events);
        QCOMPARE(std::ranges::any_of(lines,
                                     [](const LogLine& line) {
                                         return line.level == LogLineLevel::warning &&
                                                line.text.find("changed after the job was queued") != std::string::npos;
                                     }),
                 warns);
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
        QCOMPARE(bytes_of(file("out/again.safetensors")), written_bytes_of(file("out/shared.safetensors")));
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
