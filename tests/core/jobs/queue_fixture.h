#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/api/engine.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/support/file_bytes.h"

namespace kinescope::testing {

inline void write(const QString& name, const QByteArray& bytes) {
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

/// Base class of tests of the queue of the real engine, with the built-in model at its smallest size.
class QueueFixture : public QObject {
protected:
    static constexpr int kSteps = 4;

    /// Starts the first session with an empty folder.
    void start_in_empty_folder() {
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", file("cache").toUtf8());
        start_engine();
    }

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

    /// Runs a job without interruption and returns its frames.
    QByteArray unbroken_frames() {
        recorder_->wait(engine_->jobs().submit(request("unbroken")));
        return written_bytes_of(file("out/unbroken.safetensors"));
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<EventRecorder> recorder_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace kinescope::testing
