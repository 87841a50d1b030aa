#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/api/engine.h"

namespace kinescope::testing {

/// What a fake run tells, made from the resolved request.
using Script = std::function<std::vector<RunEvent>(const VideoRequest&)>;

/// The name of a model of the fake engine that takes a first and a last picture.
inline constexpr const char* kImageModel = "/models/first-last";

/// An engine without tensors: answers from a card, plays a script on a thread of its own. Methods are as safe to call
/// from any thread as those of the real one.
class FakeEngine final : public Engine {
public:
    FakeEngine(Script script, RunObserver& observer);
    ~FakeEngine() override;

    /// The script waits behind its first `events` until release() or cancel().
    void holdAfter(std::size_t events) { hold_after_ = events; }
    void release();

    JobId submit(VideoRequest request) override;
    void cancel(JobId job) override;
    std::vector<JobRecord> jobs() override { return {}; }
    void pause(JobId) override {}
    void proceed(JobId) override {}
    void move(JobId, int) override {}
    void edit(JobId, VideoRequest) override {}
    void remove(JobId) override {}
    void hold_queue() override {}
    void release_queue() override {}
    void retry(JobId) override {}
    ModelCard card(const std::string& model) override;
    ModelCard card(const VideoRequest& request) override { return card(request.model); }
    std::vector<ModelCard> models() override;
    CheckpointDescription describe_checkpoint(const std::filesystem::path& path) override;
    std::vector<DeviceInfo> devices() override;
    DoctorReport doctor(CanaryMode mode) override;
    int forget_overrides() override { return 2; }
    Plan plan(const VideoRequest& request) override;
    int count_tokens(const std::string& model, const std::string& prompt) override;
    VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options) override;
    std::vector<BenchRow> bench(const VideoRequest& request, int repeats) override;
    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance) override;
    VideoRequest read_settings(const std::filesystem::path& video) override;
    std::vector<FramePtr> read_frames(const std::filesystem::path&, const FrameSelection&) override { return {}; }

private:
    void play(JobId job, const std::vector<RunEvent>& events);
    bool waitForRelease();

    Script script_;
    RunObserver& observer_;
    std::size_t hold_after_ = static_cast<std::size_t>(-1);
    std::mutex mutex_;
    std::condition_variable changed_;
    bool released_ = false;
    bool cancelled_ = false;
    JobId last_job_ = 0;
    std::vector<std::thread> threads_;
};

/// The card of the built-in model, as far as the window reads it.
ModelCard demoCard();
PolicySummary demoPolicy();

/// A run in which all goes well: every phase, a latent preview for each step, frames by chunks, a small file at the
/// end.
Script healthyRun();
/// The same, but step `step` (0-based) shows a value that is not a number, and the run fails.
Script notFiniteRun(int step);
/// The same, but the guard repairs one layer at step `step` (0-based), which is made again; the run goes on.
Script healedRun(int step);
/// Fails at once.
Script failingRun(Error error);

/// One step's samples of `blocks` blocks with five places each, quiet and healthy.
NumericsReady stepSamples(int step, int blocks);
/// One frame of a red ball that passes a blue cube; `t` in 0..1.
FramePtr ballFrame(Size size, double t, double noise);

}  // namespace kinescope::testing
