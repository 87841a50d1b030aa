#pragma once

#include <QTemporaryDir>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/api/engine.h"
#include "core/api/version.h"
#include "core/remote/device_engines.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/support/children.h"

namespace kinescope::testing {

inline constexpr const char* kProgram = KINESCOPE_BIN_DIR "/kinescope-cli";
inline constexpr const char* kResources = KINESCOPE_SOURCE_DIR "/resources";
inline constexpr int kSteps = 8;

/// The window's engine, with a queue of its own: one in another process for each device.
class MortalEngine {
public:
    explicit MortalEngine(double longest_silence_seconds = 20, remote::ListSeats seats = remote::usable_devices)
        : program_{.program = folder_.filePath("kinescope-cli").toStdString(),
                   .arguments = {"--resources", kResources, "serve", "--jobs", folder_.filePath("jobs").toStdString()},
                   .version = kVersion,
                   .longest_silence_seconds = longest_silence_seconds},
          seats_(std::move(seats)) {
        std::filesystem::create_symlink(kProgram, program_.program);
        restart();
    }

    void restart() {
        engine_.reset();
        engine_ = remote::make_device_engines(program_, recorder, seats_);
    }

    /// From now on, no engine can be started.
    void remove_program() { std::filesystem::remove(program_.program); }

    Engine* operator->() { return engine_.get(); }
    VideoRequest request(const char* name) const {
        VideoRequest request;
        request.prompt = "a red ball moving left on a blue background";
        request.num_frames = 9;
        request.num_inference_steps = kSteps;
        request.seed = 3;
        request.device = "cpu";
        request.threads = 1;
        request.output.file = folder_.filePath(name).toStdString();
        return request;
    }
    /// Sends a signal to the engine after each of these steps (0-based), once.
    void kill_after_steps(std::vector<int> steps, int signal) {
        recorder.on_step = [steps, signal](JobId, const StepCompleted& done) mutable {
            const auto found = std::find(steps.begin(), steps.end(), done.step);
            if (found == steps.end()) return;
            steps.erase(found);
            ::kill(newest_child(), signal);
        };
    }
    std::vector<std::uint8_t> pixels(const std::filesystem::path& video) {
        std::vector<std::uint8_t> pixels;
        for (const FramePtr& frame : engine_->videos().read_frames(video, {}))
            pixels.insert(pixels.end(), frame->pixels.begin(), frame->pixels.end());
        return pixels;
    }

    EventRecorder recorder;

private:
    QTemporaryDir folder_;
    const remote::EngineProgram program_;
    const remote::ListSeats seats_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace kinescope::testing
