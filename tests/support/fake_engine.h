#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "tests/support/fake_queue.h"

namespace kinescope::testing {

/// The name of a model of the fake engine that takes a first and a last picture.
inline constexpr const char* kImageModel = "/models/first-last";
/// The name of one whose VAE decodes in tiles.
inline constexpr const char* kTilingModel = "/models/tiles";

/// An engine without tensors: answers from a card, plays a script on a thread of its own. Methods are as safe to call
/// from any thread as those of the real one.
class FakeEngine : public Engine {
public:
    FakeEngine(Script script, RunObserver& observer) : queue_(std::move(script), observer) {}

    FakeQueue& queue() { return queue_; }
    /// What read_settings finds in that file; besides it knows the videos of its own jobs, and others hold nothing.
    void keepSettings(const std::filesystem::path& video, const VideoRequest& request);

    JobId submit(VideoRequest request) override { return queue_.submit(std::move(request)); }
    void cancel(JobId job) override { queue_.cancel(job); }
    std::vector<JobRecord> jobs() override { return queue_.jobs(); }
    std::optional<JobRecord> job(JobId job) override { return queue_.job(job); }
    void pause(JobId job) override { queue_.pause(job); }
    void suspend(JobId job) override { queue_.suspend(job); }
    void decode_now(JobId job) override { queue_.decode_now(job); }
    void proceed(JobId job) override { queue_.proceed(job); }
    void move(JobId job, int position) override { queue_.move(job, position); }
    void edit(JobId job, VideoRequest request) override { queue_.edit(job, std::move(request)); }
    void remove(JobId job) override { queue_.remove(job); }
    void hold_queue() override { queue_.hold(true); }
    void release_queue() override { queue_.hold(false); }
    void retry(JobId job) override { queue_.retry(job); }
    ModelCard card(const std::string& model) override;
    ModelCard card(const VideoRequest& request) override { return card(request.model); }
    std::vector<ModelCard> models() override;
    CheckpointDescription describe_checkpoint(const std::filesystem::path& path) override;
    /// Takes as long as setCheck says, and finds what it says; describe_checkpoint tells it from then on.
    FileCheck check_file(const std::filesystem::path& file, const CheckProgress& progress) override;
    void setCheck(const FileCheck& check, double seconds = 0);
    std::vector<DeviceInfo> devices() override;
    DoctorReport doctor(CanaryMode mode) override;
    /// "cpu", which fits best, "gpu-12gb", which is for another device, and "wan-few-steps", which needs a LoRA.
    std::vector<PresetInfo> presets(const VideoRequest& request) override;
    int forget_overrides() override { return 2; }
    Plan plan(const VideoRequest& request) override;
    int count_tokens(const std::string& model, const std::string& prompt) override;
    VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options) override;
    std::vector<BenchRow> bench(const VideoRequest& request, int repeats) override;
    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance) override;
    /// What compare finds in two numeric logs; nothing that differs unless it is set.
    void setLogComparison(const CompareReport& report);
    VideoRequest read_settings(const std::filesystem::path& video) override;
    std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection) override;

private:
    FakeQueue queue_;
    std::mutex mutex_;
    std::map<std::filesystem::path, VideoRequest> settings_;
    FileCheck check_{.sha256 = std::string(64, 'a'), .checked = "2026-11-20T14:18:00Z", .num_tensors = 825};
    double check_seconds_ = 0;
    std::map<std::filesystem::path, FileCheck> checks_;
    CompareReport logs_{.kind = "logs", .num_compared = 1, .passed = true};
};

/// The card of the built-in model, as far as the window reads it.
ModelCard demoCard();
PolicySummary demoPolicy();

/// A run in which all goes well: every phase, a latent preview for each step, frames by chunks, a small file at the
/// end.
Script healthyRun();
/// The same with a warning about its frames.
Script warnedRun();
/// The same with as many blocks and as slow steps as a large model has.
Script longRun();
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
