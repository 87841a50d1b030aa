#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/api/engine.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::testing;

/// What happens if the video to continue changes before the result is written.
class TestContinuedVideo : public QObject {
    Q_OBJECT

private:
    static constexpr int kSteps = 3;

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<EventRecorder> recorder_;
    std::unique_ptr<Engine> engine_;

    QString file(const QString& name) const { return folder_->filePath(name); }
    std::filesystem::path path(const QString& name) const { return file(name).toStdString(); }
    void replace_clip(const QString& other) const {
        QVERIFY(QFile::remove(file("clip.mkv")) && QFile::copy(file(other), file("clip.mkv")));
    }

    /// Starts a new process in effect, with the jobs that the last one has saved.
    void start_engine(const std::filesystem::path& jobs) {
        engine_.reset();
        recorder_ = std::make_unique<EventRecorder>();
        engine_ = make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources", .program = {}, .jobs_dir = jobs},
                              *recorder_);
    }

    VideoRequest request(const QString& name, const char* prompt) const {
        VideoRequest request;
        request.prompt = prompt;
        request.width = request.height = 32;
        request.num_frames = 9;
        request.num_inference_steps = kSteps;
        request.seed = 5;
        request.device = "cpu";
        request.threads = 1;
        request.output.file = path(name);
        return request;
    }

    VideoRequest continuing(int parts) const {
        VideoRequest request = this->request("whole.mkv", "a red ball moving left on a blue background");
        request.continue_video = path("clip.mkv");
        for (int part = 1; part < parts; ++part) request.next_prompts.emplace_back("a red ball moving up");
        return request;
    }

    JobId pause_after_first_step(const VideoRequest& request) {
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == 0) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request);
        recorder_->wait(job);
        recorder_->on_step = {};
        return job;
    }

    /// Returns the errors of a job that has been continued.
    std::vector<RunFailed> failures_of(JobId job) {
        engine_->jobs().resume(job);
        return of_type<RunFailed>(recorder_->wait(job, 2));
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", file("cache").toUtf8());
        start_engine(path("jobs"));
        for (const auto& [name, prompt] : {std::pair{"first.mkv", "a red ball moving right on a blue background"},
                                           {"second.mkv", "a white square moving down on a green background"}})
            recorder_->wait(engine_->jobs().submit(request(name, prompt)));
        QVERIFY(QFile::copy(file("first.mkv"), file("clip.mkv")));
    }
    void cleanup() { engine_.reset(); }

    void another_video_is_refused_and_the_earlier_one_accepted_data() {
        QTest::addColumn<int>("parts");
        QTest::addColumn<bool>("saved");
        QTest::newRow("one part") << 1 << true;
        QTest::newRow("first of two parts") << 2 << true;
        QTest::newRow("one part, not saved on disk") << 1 << false;
    }

    void another_video_is_refused_and_the_earlier_one_accepted() {
        QFETCH(int, parts);
        QFETCH(bool, saved);
        recorder_->wait(engine_->jobs().submit(continuing(parts)));
        const QByteArray unbroken = bytes_of(file("whole.mkv"));
        QVERIFY(!unbroken.isEmpty() && QFile::remove(file("whole.mkv")));

        if (!saved) start_engine({});
        const JobId job = pause_after_first_step(continuing(parts));
        replace_clip("second.mkv");
        if (saved) start_engine(path("jobs"));
        engine_->jobs().resume(job);
        const auto events = recorder_->wait(job, saved ? 1 : 2);
        const auto failed = of_type<RunFailed>(events);
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(int(failed[0].error.code()), int(ErrorCode::file_changed));
        QVERIFY(failed[0].error.message().find("clip.mkv, has changed") != std::string::npos);
        QVERIFY(!QFile::exists(file("whole.mkv")));
        QCOMPARE(engine_->jobs().find(job)->step, 1);

        replace_clip("first.mkv");  // with a new time
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, saved ? 2 : 3)).size(), std::size_t{1});
        QVERIFY(bytes_of(file("whole.mkv")) == unbroken);
    }

    void a_missing_video_is_named_before_the_next_step() {
        const JobId job = pause_after_first_step(continuing(1));
        QVERIFY(QFile::remove(file("clip.mkv")));
        const auto failed = failures_of(job);
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(int(failed[0].error.code()), int(ErrorCode::file_not_found));
        QCOMPARE(engine_->jobs().find(job)->step, 1);
    }

    void a_job_that_starts_over_takes_the_new_video() {
        const JobId job = pause_after_first_step(continuing(1));
        replace_clip("second.mkv");
        engine_->jobs().retry(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 2)).size(), std::size_t{1});
    }

    void a_video_that_changes_during_the_run_is_not_joined() {
        recorder_->on_step = [this](JobId, const StepCompleted& step) {
            if (step.step == 0) replace_clip("second.mkv");
        };
        const JobId job = engine_->jobs().submit(continuing(1));
        const auto failed = of_type<RunFailed>(recorder_->wait(job));
        QCOMPARE(failed.size(), std::size_t{1});
        QCOMPARE(int(failed[0].error.code()), int(ErrorCode::file_changed));
        QVERIFY(!QFile::exists(file("whole.mkv")));
    }

    void a_folder_of_frames_may_contain_other_files() {
        VideoRequest frames = request("frames", "a red ball moving right on a blue background");
        recorder_->wait(engine_->jobs().submit(frames));
        VideoRequest request = continuing(1);
        request.continue_video = path("frames");
        request.output.file = path("frames/whole.mkv");
        const JobId job = pause_after_first_step(request);
        QFile note(file("frames/notes.txt"));
        QVERIFY(note.open(QIODevice::WriteOnly) && note.write("written by a file manager") > 0);
        note.close();
        QVERIFY(failures_of(job).empty());
        QVERIFY(QFile::exists(file("frames/whole.mkv")));
    }

    void a_job_without_a_usable_stamp_goes_on() {
        const JobId job = pause_after_first_step(continuing(1));
        QFile stamp(file(QStringLiteral("jobs/%1/continued.json").arg(job)));
        QVERIFY(stamp.exists() && stamp.resize(7));
        QVERIFY(failures_of(job).empty());
        QVERIFY(QFile::exists(file("whole.mkv")));
    }

    void the_video_is_not_needed_after_the_first_part() {
        recorder_->on_step = [this](JobId job, const StepCompleted& step) {
            if (step.step == kSteps) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(continuing(2));
        recorder_->wait(job);
        replace_clip("second.mkv");
        engine_->jobs().resume(job);
        QCOMPARE(of_type<RunFinished>(recorder_->wait(job, 2)).size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestContinuedVideo)
#include "test_continued_video.moc"
