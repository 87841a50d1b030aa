#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "tests/support/fake_queue.h"

namespace kinescope::testing {

/// A model of a computer that cannot be asked.
inline constexpr const char* kUnreachableModel = "/models/unreachable";
/// A fake model that needs a first and a last image.
inline constexpr const char* kImageModel = "/models/first-last";
/// A model of another variant than the others, without flow shift and with a guidance scale for each frame.
inline constexpr const char* kOtherVariant = "/models/other-variant";
/// A LoRA that can be opened neither as a model nor together with one of the models.
inline constexpr const char* kForeignLora = "/models/loras/foreign.safetensors";
/// A LoRA whose file does not exist.
inline constexpr const char* kMissingLora = "/models/loras/missing.safetensors";
/// A fake model whose VAE supports tiling.
inline constexpr const char* kTilingModel = "/models/tiles";

/// The computer that has kUnreachableModel.
enum class Studio {
    unknown,  ///< the models are those of this computer
    off,      ///< the models cannot be asked
    on        ///< it lists the model
};

/// An engine without tensors. Returns prepared answers and plays a script on a separate thread. Its methods are as
/// thread-safe as those of the real engine.
class FakeEngine : public Engine,
                   public JobQueue,
                   public ModelCatalog,
                   public Diagnostics,
                   public VideoFiles,
                   public GpuInstaller {
public:
    FakeEngine(Script script, RunObserver& observer) : observer_(observer), queue_(std::move(script), observer) {}

    FakeQueue& queue() { return queue_; }
    /// Sets the result of read_settings() for a file. Videos of the engine's jobs also have settings; other files do
    /// not.
    void keepSettings(const std::filesystem::path& video, const VideoRequest& request);
    /// Sets the result of describe_video() for a file. Other files cannot be read.
    void describe(const std::filesystem::path& video, const VideoDescription& description);

    JobQueue& jobs() override { return *this; }
    ModelCatalog& catalog() override { return *this; }
    Diagnostics& diagnostics() override { return *this; }
    VideoFiles& videos() override { return *this; }
    GpuInstaller& gpu_installer() override { return *this; }

    JobId submit(VideoRequest request) override { return queue_.submit(std::move(request)); }
    std::vector<Job> list() override { return queue_.jobs(); }
    std::optional<Job> find(JobId job) override { return queue_.job(job); }
    void cancel(JobId job) override { queue_.cancel(job); }
    void pause(JobId job, PausePoint) override { queue_.pause(job); }
    void resume(JobId job) override { queue_.resume(job); }
    void decode_now(JobId job) override { queue_.decode_now(job); }
    void start(JobId job, RemainingSteps) override { queue_.resume(job); }
    void hand_over(JobId) override {}
    void retry(JobId job) override { queue_.retry(job); }
    void move(JobId job, int position) override { queue_.move(job, position); }
    void edit(JobId job, VideoRequest request) override { queue_.edit(job, std::move(request)); }
    void remove(JobId job) override { queue_.remove(job); }
    void hold() override { queue_.hold(true); }
    void release() override { queue_.hold(false); }

    void setStudio(Studio studio) { studio_ = studio; }
    std::vector<ModelCard> models() override;
    ModelCard card(const std::string& model) override;
    ModelCard card(const VideoRequest& request) override { return card(request.model); }
    CheckpointDescription describe_checkpoint(const std::filesystem::path& path) override;
    /// Returns the result set with setCheck() after the number of seconds set there. From then on,
    /// describe_checkpoint() includes the result.
    FileCheck check_file(const std::filesystem::path& file, CheckId id) override;
    void cancel_check(CheckId id) override;
    void setCheck(const FileCheck& check, double seconds = 0);
    /// Returns three presets: "cpu", which fits best, "gpu-12gb" for another device, and "wan-few-steps", which needs a
    /// LoRA. After them, the added ones whose file exists.
    std::vector<PresetInfo> presets(const VideoRequest& request) override;
    void addPreset(const PresetInfo& preset);
    Plan plan(const VideoRequest& request) override;
    int count_tokens(const std::string& model, const std::string& prompt) override;

    std::vector<DeviceInfo> devices() override;
    DoctorReport doctor(CanaryMode mode) override;
    int forget_overrides() override { return 2; }
    VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options, DiagnosticId id) override;
    std::vector<BenchRow> bench(const VideoRequest& request, int repeats, DiagnosticId id) override;
    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance, DiagnosticId id) override;
    void cancel_diagnostic(DiagnosticId) override {}
    /// Returns demoRun, or throws the error set with failDemo.
    GuardDemoResult guard_demo(GuardDemoRun run, DiagnosticId id) override;
    void failDemo(const Error& error);
    /// Sets the result of comparing two numeric logs. By default, there are no differences.
    void setLogComparison(const CompareReport& report);
    /// Lets comparisons of numeric logs fail.
    void failLogComparison(const Error& error);
    int numFailedLogs() const { return num_failed_logs_; }

    GpuSetup setup() override;
    /// Sends progress until stopped or until finishInstallation(). Then fails if a fault is set.
    void install(InstallId id) override;
    void stop(InstallId id) override;
    /// Sets what the graphics cards need. By default, they need nothing.
    void setGpuSetup(const GpuSetup& setup);
    void finishInstallation(const std::optional<Error>& fault = {});
    /// Sets the devices. The default is a CPU.
    void setDevices(const std::vector<DeviceInfo>& devices);

    VideoRequest read_settings(const std::filesystem::path& video) override;
    VideoDescription describe_video(const std::filesystem::path& video) override;
    std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection,
                                      ReadId id) override;
    void cancel_read(ReadId) override {}
    /// Returns how often read_frames() was called with this limit.
    int numReads(int max_frames);
    /// Writes a small file. With setExportHeld(true), it waits after half of the frames until cancel_export.
    ExportResult export_video(const ExportRequest& request, ExportId id) override;
    void cancel_export(ExportId id) override;
    /// Writes a small file. With setFinishHeld(true), it waits after half of the frames until it is cancelled or
    /// paused.
    FinishResult finish_video(const FinishRequest& request, FinishId id) override;
    void cancel_finish(FinishId id) override;
    void pause_finish(FinishId id) override;
    void setFinishHeld(bool held) { finish_held_ = held; }
    std::vector<FinishRequest> finishes();
    /// Returns the number of calls of cancel_finish() and pause_finish().
    int numCancelledFinishes();
    int numPausedFinishes();
    /// 1,000 bytes for each frame, 10 times as many for GIF.
    ExportEstimate estimate_export(const ExportRequest& request) override;
    void setExportHeld(bool held) { export_held_ = held; }
    std::vector<ExportRequest> exports();

private:
    RunObserver& observer_;
    FakeQueue queue_;
    std::mutex mutex_;
    std::map<std::filesystem::path, VideoRequest> settings_;
    std::map<std::filesystem::path, VideoDescription> descriptions_;
    std::map<int, int> num_reads_;  ///< by the limit of frames
    FileCheck check_{.sha256 = std::string(64, 'a'), .checked = "2026-11-20T14:18:00Z", .num_tensors = 825};
    double check_seconds_ = 0;
    std::set<CheckId> cancelled_;
    std::set<ExportId> cancelled_exports_;
    std::vector<ExportRequest> exports_;
    std::atomic<bool> export_held_ = false;
    std::set<FinishId> cancelled_finishes_;
    std::set<FinishId> paused_finishes_;
    std::vector<FinishRequest> finishes_;
    std::atomic<bool> finish_held_ = false;
    std::map<std::filesystem::path, FileCheck> checks_;
    std::vector<PresetInfo> added_presets_;
    std::optional<Error> demo_error_;
    GpuSetup gpu_;
    std::set<InstallId> stopped_;
    bool installs_ = true;  ///< an installation continues to send progress
    std::optional<Error> gpu_fault_;
    std::vector<DeviceInfo> devices_;
    std::atomic<Studio> studio_ = Studio::unknown;
    std::optional<Error> log_error_;
    std::atomic<int> num_failed_logs_ = 0;
    CompareReport logs_{.kind = CompareKind::logs, .num_compared = 1, .passed = true};
};

/// Returns the card of the built-in model, with the fields that the window reads.
ModelCard demoCard();
PolicySummary demoPolicy();

/// Returns a guard demonstration of four steps with the same outcome as the real one.
GuardDemoResult demoRun(GuardDemoRun run);

/// Returns a successful run: every phase, a latent preview for each step, frames in chunks, and a small file.
Script healthyRun();
/// Returns healthyRun() with a warning about the frames.
Script warnedRun();
/// Returns healthyRun() with the number of blocks and the step time of a large model.
Script longRun();
/// Returns a run that fails because step `step` (0-based) produces NaN.
Script notFiniteRun(int step);
/// Returns healthyRun(), but the guard heals one layer in step `step` (0-based) and repeats the step.
Script healedRun(int step);
/// Returns a run that fails immediately.
Script failingRun(Error error);

/// Returns the samples of one healthy step, with five sites for each of `blocks` blocks.
NumericsReady stepSamples(int step, int blocks);
/// Returns a frame of a red ball that passes a blue cube. `t` is the time, 0..1.
FramePtr ballFrame(Size size, double t, double noise);

}  // namespace kinescope::testing
