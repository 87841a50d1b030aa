#pragma once

#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "core/cluster/import_result.h"

namespace kinescope::testing {

inline const cluster::AttemptKey kFirst{1, 0};
inline const cluster::AttemptKey kRequeued{1, 1};
inline const cluster::AttemptKey kAgain{2, 0};

/// Writes a file, and makes its folder.
inline void write_file(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

/// A task of a batch in a temporary folder.
class TemporaryTask {
public:
    std::filesystem::path dir() const { return dir_.path().toStdString(); }
    cluster::TaskFolder folder() const { return cluster::TaskFolder(dir() / "task"); }
    cluster::VideoTask task() const {
        return {.request = {},
                .files = {{"video.mp4", dir() / "home" / "a.mp4"}, {"numeric.jsonl", dir() / "home" / "a.jsonl"}}};
    }

    /// Makes a complete attempt with a video and a log.
    void finish(const cluster::AttemptKey& key, const std::string& video) const {
        folder().claim(key);
        write_file(folder().outputs(key) / "video.mp4", video);
        write_file(folder().outputs(key) / "numeric.jsonl", "log of " + video);
        const Json outcome = {{"status", "completed"}, {"output", "out/video.mp4"}, {"seconds", 2.5}};
        const std::string text = cluster::describe_outputs(folder().outputs(key), outcome).dump();
        write_file(folder().outputs(key) / cluster::kResultFile, text);
    }

private:
    const QTemporaryDir dir_;
};

/// The members that tests of a task share. Call renew() before each test.
class OnTemporaryTask {
protected:
    void renew() { place_ = std::make_unique<TemporaryTask>(); }
    std::filesystem::path dir() const { return place_->dir(); }
    cluster::TaskFolder folder() const { return place_->folder(); }
    void finish(const cluster::AttemptKey& key, const std::string& video) const { place_->finish(key, video); }
    cluster::VideoTask task() const { return place_->task(); }

private:
    std::unique_ptr<TemporaryTask> place_;
};

}  // namespace kinescope::testing
