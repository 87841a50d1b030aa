#pragma once

#include <QDir>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <memory>
#include <string>
#include <vector>

#include "core/api/engine.h"
#include "core/api/video_parts.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/support/file_bytes.h"

namespace kinescope::testing {

inline constexpr int kSteps = 3;
inline constexpr int kFrames = 9;

/// Base class of tests that make videos of several parts with the built-in model at its smallest size.
class LongVideoFixture : public QObject {
protected:
    /// Prepares an empty folder and an engine for a test.
    void begin() {
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", file("cache").toUtf8());
        qputenv("TMPDIR", folder_->path().toUtf8());
        start_engine();
    }
    void end() {
        engine_.reset();
        qunsetenv("TMPDIR");
    }

    QString file(const QString& name) const { return folder_->filePath(name); }
    std::filesystem::path path(const QString& name) const { return file(name).toStdString(); }

    void start_engine() { start_engine(path("jobs")); }

    /// Jobs are not saved on disk if `jobs` is empty. Files are read in this process if `program` is empty.
    void start_engine(const std::filesystem::path& jobs, const std::filesystem::path& program = {}) {
        engine_.reset();
        recorder_ = std::make_unique<EventRecorder>();
        engine_ = make_engine(
            {.resources_dir = KINESCOPE_SOURCE_DIR "/resources", .program = program, .jobs_dir = jobs}, *recorder_);
    }

    /// A request for one part.
    VideoRequest request(const QString& name) const {
        VideoRequest request;
        request.prompt = "a red ball moving left on a blue background";
        request.width = 32;
        request.height = 32;
        request.num_frames = kFrames;
        request.num_inference_steps = kSteps;
        request.seed = 5;
        request.device = "cpu";
        request.threads = 1;
        request.output.file = path(name);
        return request;
    }

    VideoRequest long_request(const QString& name) const {
        VideoRequest whole = request(name + ".mp4");
        whole.next_prompts = {"a red ball moving up on a blue background", "a red ball moving right"};
        whole.output.frames = path(name + ".safetensors");
        return whole;
    }

    /// Returns the frames of the last part of a long video that was made without a pause.
    QByteArray unbroken_frames() {
        recorder_->wait(engine_->jobs().submit(long_request("unbroken")));
        return written_bytes_of(file("unbroken.safetensors"));
    }

    /// Runs a job until it has finished `steps` steps.
    JobId pause_after(const VideoRequest& request, int steps) {
        recorder_->on_step = [this, steps](JobId job, const StepCompleted& step) {
            if (step.step + 1 == steps) engine_->jobs().pause(job, PausePoint::after_step);
        };
        const JobId job = engine_->jobs().submit(request);
        recorder_->wait(job);
        recorder_->on_step = {};
        return job;
    }

    std::vector<std::string> files_of_job(JobId job) const {
        std::vector<std::string> names;
        const QDir folder(file(QStringLiteral("jobs/%1").arg(job)));
        for (const QString& name : folder.entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot))
            names.push_back(name.toStdString());
        return names;
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<EventRecorder> recorder_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace kinescope::testing
