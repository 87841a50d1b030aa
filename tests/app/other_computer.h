#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/api/computers.h"
#include "core/api/version.h"
#include "core/base/local_socket.h"
#include "core/base/printable.h"
#include "core/computers/computer_engine.h"
#include "core/remote/remote_engine.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/support/file_bytes.h"

namespace kinescope::testing {

inline constexpr const char* kProgram = KINESCOPE_BIN_DIR "/kinescope-cli";
inline constexpr const char* kResources = KINESCOPE_SOURCE_DIR "/resources";

/// "Another computer": a home folder of its own, in which `serve --keep` keeps an engine.
class OtherComputer {
public:
    /// Ends the engine there, which would wait for other programs for 4 s.
    ~OtherComputer() {
        if (const pid_t engine = engine_process(); engine > 0) ::kill(engine, SIGTERM);
        wait_until_idle();
    }

    /// Starts an engine there without ssh.
    std::string command() const {
        return "env " + environment(" ") + " " + kProgram + " --resources " + kResources + " serve --keep --idle 4";
    }
    /// "HOME=... XDG_STATE_HOME=..." with a separator.
    std::string environment(const std::string& separator) const {
        const std::string home = home_.path().toStdString();
        std::string all = "HOME=" + home;
        for (const char* name : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
            all += separator + name + "=" + home + "/" + name;
        return all;
    }
    std::filesystem::path engine_folder() const {
        return std::filesystem::path(home_.path().toStdString()) / "XDG_STATE_HOME/kinescope" /
               ("engine-" + host_name());
    }
    /// Waits until the engine has ended: after 4 s without a program and a job.
    void wait_until_idle() const {
        std::error_code none;
        for (const auto& folder : std::filesystem::directory_iterator(engine_folder().parent_path(), none))
            if (std::filesystem::exists(folder.path() / "engine.lock"))
                const FileLock ended(folder.path() / "engine.lock", 60);
    }
    /// The process of the engine; 0: none.
    pid_t engine_process() const {
        for (const auto& process : std::filesystem::directory_iterator("/proc")) {
            std::ifstream file(process.path() / "cmdline");
            const std::string line{std::istreambuf_iterator<char>(file), {}};
            if (line.find("--keep-here") != std::string::npos &&
                line.find(engine_folder().string()) != std::string::npos)
                return std::stoi(process.path().filename().string());
        }
        return 0;
    }

private:
    QTemporaryDir home_;
};

inline VideoRequest small_request(const std::filesystem::path& output, int seed, int steps = 4) {
    VideoRequest request;
    request.prompt = "a red ball moving left on a blue background";
    request.num_frames = 9;
    request.num_inference_steps = steps;
    request.seed = seed;
    request.device = "cpu";
    request.threads = 1;
    request.output.file = output;
    return request;
}

/// An engine of this computer.
inline std::unique_ptr<Engine> local_engine(const QString& jobs, RunObserver& observer) {
    return remote::make_remote_engine({.program = kProgram,
                                       .arguments = {"--resources", kResources, "serve", "--jobs", jobs.toStdString()},
                                       .version = kVersion},
                                      observer);
}

/// The bytes of the same videos made on this computer. Each is made only once.
inline std::vector<std::string> local_videos(int count, int steps = 4) {
    static std::map<std::pair<int, int>, std::string> made;  // by seed and steps
    const QTemporaryDir folder;
    EventRecorder recorder;
    std::unique_ptr<Engine> engine;
    std::vector<std::string> videos;
    for (int seed = 1; seed <= count; ++seed) {
        std::string& video = made[{seed, steps}];
        if (video.empty()) {
            if (!engine) engine = local_engine(folder.filePath("jobs"), recorder);
            const std::filesystem::path file = folder.filePath(QString::number(seed) + ".mp4").toStdString();
            recorder.wait(engine->jobs().submit(small_request(file, seed, steps)));
            video = contents_of(file);
        }
        videos.push_back(video);
    }
    return videos;
}

/// The newest child process that is a connection: ssh, or the program itself; 0: none.
inline pid_t newest_connection() {
    pid_t newest = 0;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream children(thread.path() / "children");
        for (pid_t child = 0; children >> child;) {
            std::string name;
            std::ifstream("/proc/" + std::to_string(child) + "/comm") >> name;
            if (name == "ssh" || name == "env" || name == "kinescope-cli") newest = std::max(newest, child);
        }
    }
    return newest;
}

/// An engine of another computer with a ledger and outputs in a folder.
class UsedComputer {
public:
    explicit UsedComputer(std::string command, std::string version = kVersion, std::vector<PathMap> paths = {})
        : command_(std::move(command)), version_(std::move(version)), paths_(std::move(paths)) {
        open();
    }
    Engine* operator->() { return engine_.get(); }
    computers::ComputerEngine& engine() { return *engine_; }
    std::filesystem::path file(const std::string& name) const {
        return std::filesystem::path(folder_.path().toStdString()) / name;
    }
    void close() { engine_.reset(); }
    void open() {
        engine_ = computers::make_computer_engine({"studio", command_, paths_},
                                                  {.version = version_,
                                                   .ledger = file("ledger.json"),
                                                   .on_change =
                                                       [this] {
                                                           if (on_change) on_change();
                                                       }},
                                                  recorder);
    }
    /// Names in the folder of the outputs.
    QStringList names() const {
        return QDir(folder_.path() + QStringLiteral("/out")).entryList(QDir::Files | QDir::Hidden, QDir::Name);
    }

    EventRecorder recorder;
    std::function<void()> on_change;  ///< called on any thread; set while no job is open

private:
    QTemporaryDir folder_;
    std::string command_;
    std::string version_;
    std::vector<PathMap> paths_;
    std::unique_ptr<computers::ComputerEngine> engine_;
};

}  // namespace kinescope::testing
