#pragma once

#include <functional>
#include <string>

#include "core/api/engine.h"
#include "core/remote/engine_connection.h"
#include "core/remote/job_ledger.h"

// The five parts of an engine in another process: each method is a call.
namespace kinescope::remote {

/// Whether a call that was lost with the engine's process is made again.
enum class AfterLoss {
    ask_again,  ///< a question
    fail        ///< it changes something
};

/// Makes calls to the running engine process. Throws Error.
using Caller = std::function<Reply(const std::string& name, Json arguments, AfterLoss after_loss)>;

/// Remembers what a new engine process must be told. Thread-safe.
class QueueIntents {
public:
    virtual ~QueueIntents() = default;
    /// Returns the earlier intent.
    virtual std::optional<JobIntent> note(JobId job, JobIntent intent) = 0;
    /// See JobLedger::take_back.
    virtual void take_back(JobId job, JobIntent refused, std::optional<JobIntent> earlier) = 0;
    virtual void hold() = 0;
    virtual void release() = 0;
};

class RemoteJobQueue final : public JobQueue {
public:
    RemoteJobQueue(const Caller& caller, QueueIntents& intents, JobStart job_start = JobStart::by_itself)
        : caller_(caller), intents_(intents), job_start_(job_start) {}

    JobId submit(VideoRequest request) override;
    std::vector<Job> list() override;
    std::optional<Job> find(JobId job) override;
    void cancel(JobId job) override;
    void pause(JobId job, PausePoint point) override;
    void resume(JobId job) override;
    void decode_now(JobId job) override;
    void start(JobId job, RemainingSteps steps) override;
    void hand_over(JobId job) override;
    void retry(JobId job) override;
    void move(JobId job, int position) override;
    void edit(JobId job, VideoRequest request) override;
    void remove(JobId job) override;
    void hold() override;
    void release() override;

private:
    JobId submit_despite_loss(const VideoRequest& request);
    /// Makes a call that changes what is to happen with a job.
    template <class... Arguments>
    void change(JobIntent intent, const char* name, JobId job, const Arguments&... arguments);
    /// Makes a call after which a job waits.
    void queue_again(JobIntent intent, const char* name, JobId job);

    const Caller& caller_;
    QueueIntents& intents_;
    const JobStart job_start_;
};

class RemoteCatalog final : public ModelCatalog {
public:
    explicit RemoteCatalog(const Caller& caller) : caller_(caller) {}

    std::vector<ModelCard> models() override;
    ModelCard card(const std::string& model) override;
    ModelCard card(const VideoRequest& request) override;
    CheckpointDescription describe_checkpoint(const std::filesystem::path& path) override;
    FileCheck check_file(const std::filesystem::path& file, CheckId id) override;
    void cancel_check(CheckId id) override;
    std::vector<PresetInfo> presets(const VideoRequest& request) override;
    Plan plan(const VideoRequest& request) override;
    int count_tokens(const std::string& model, const std::string& prompt) override;

private:
    const Caller& caller_;
};

class RemoteDiagnostics final : public Diagnostics {
public:
    explicit RemoteDiagnostics(const Caller& caller) : caller_(caller) {}

    std::vector<DeviceInfo> devices() override;
    DoctorReport doctor(CanaryMode mode) override;
    int forget_overrides() override;
    VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options, DiagnosticId id) override;
    std::vector<BenchRow> bench(const VideoRequest& request, int repeats, DiagnosticId id) override;
    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance, DiagnosticId id) override;
    GuardDemoResult guard_demo(GuardDemoRun run, DiagnosticId id) override;
    void cancel_diagnostic(DiagnosticId id) override;

private:
    const Caller& caller_;
};

class RemoteVideoFiles final : public VideoFiles {
public:
    explicit RemoteVideoFiles(const Caller& caller) : caller_(caller) {}

    VideoRequest read_settings(const std::filesystem::path& video) override;
    VideoDescription describe_video(const std::filesystem::path& video) override;
    std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection,
                                      ReadId id) override;
    void cancel_read(ReadId id) override;
    ExportResult export_video(const ExportRequest& request, ExportId id) override;
    void cancel_export(ExportId id) override;
    FinishResult finish_video(const FinishRequest& request, FinishId id) override;
    void cancel_finish(FinishId id) override;
    void pause_finish(FinishId id) override;
    ExportEstimate estimate_export(const ExportRequest& request) override;

private:
    const Caller& caller_;
};

class RemoteGpuInstaller final : public GpuInstaller {
public:
    explicit RemoteGpuInstaller(const Caller& caller) : caller_(caller) {}

    GpuSetup setup() override;
    void install(InstallId id) override;
    void stop(InstallId id) override;

private:
    const Caller& caller_;
};

}  // namespace kinescope::remote
