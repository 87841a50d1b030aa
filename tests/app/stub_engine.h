#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/api/engine.h"

namespace kinescope::testing {

/// The answers of a stub engine and the calls that it received. Owned by the test.
struct StubScript {
    ModelCard card;
    /// Returns the events of a submitted request. If `run` is not set, the job waits for cancel().
    std::function<std::vector<RunEvent>(const VideoRequest&)> run;
    Plan plan;
    std::vector<PresetInfo> presets;
    std::vector<VideoRequest> benched;
    VerifyReport verify;
    std::set<std::filesystem::path> missing_cases;  ///< verify() does not find these
    CompareReport comparison{.kind = CompareKind::logs, .num_compared = 1, .passed = true};
    VideoRequest settings;         ///< the settings of every video
    VideoDescription description;  ///< of every video
    FileCheck check;               ///< the result for every file
    std::vector<VideoRequest> submitted;
    std::vector<Job> jobs;   ///< the jobs saved on disk
    std::set<JobId> locked;  ///< jobs on which another program works, so that they cannot be resumed
    std::vector<JobId> proceeded;
    std::vector<JobId> suspended;
    std::vector<JobId> decoded;
    std::vector<JobId> restarted;
    std::vector<JobId> removed;
    std::vector<ExportRequest> exported;
    std::vector<FinishRequest> made_finished;
    std::function<void()> during_export = {};
};

/// Returns a model card with two schedulers and small sizes.
ModelCard small_card();

/// An engine without tensors. Throws Error(file_not_found) for all models except "builtin".
class StubEngine : public Engine,
                   public JobQueue,
                   public ModelCatalog,
                   public Diagnostics,
                   public VideoFiles,
                   public GpuInstaller {
public:
    StubEngine(StubScript& script, RunObserver& observer) : script_(script), observer_(observer) {}

    JobQueue& jobs() override { return *this; }
    ModelCatalog& catalog() override { return *this; }
    Diagnostics& diagnostics() override { return *this; }
    VideoFiles& videos() override { return *this; }
    GpuInstaller& gpu_installer() override { return *this; }

    JobId submit(VideoRequest request) override;
    std::vector<Job> list() override { return script_.jobs; }
    std::optional<Job> find(JobId job) override;
    void cancel(JobId job) override { observer_.on_event(job, RunCancelled{2, {}}); }
    void pause(JobId job, PausePoint point) override;
    void resume(JobId job) override;
    void decode_now(JobId job) override;
    void start(JobId job, RemainingSteps) override { resume(job); }
    void hand_over(JobId) override {}
    void retry(JobId job) override;
    void move(JobId, int) override {}
    void edit(JobId, VideoRequest) override {}
    void remove(JobId job) override { script_.removed.push_back(job); }
    void hold() override {}
    void release() override {}

    std::vector<ModelCard> models() override { return {script_.card}; }
    ModelCard card(const std::string& model) override;
    ModelCard card(const VideoRequest& request) override { return card(request.model); }
    CheckpointDescription describe_checkpoint(const std::filesystem::path& path) override;
    /// Returns StubScript::check with the name of the file.
    FileCheck check_file(const std::filesystem::path& file, CheckId id) override;
    void cancel_check(CheckId) override {}
    std::vector<PresetInfo> presets(const VideoRequest&) override { return script_.presets; }
    Plan plan(const VideoRequest& request) override;
    int count_tokens(const std::string&, const std::string&) override { return 1; }

    std::vector<DeviceInfo> devices() override;
    DoctorReport doctor(CanaryMode mode) override;
    int forget_overrides() override { return 2; }
    VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options, DiagnosticId id) override;
    std::vector<BenchRow> bench(const VideoRequest& request, int repeats, DiagnosticId id) override;
    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance, DiagnosticId id) override;
    void cancel_diagnostic(DiagnosticId) override {}
    GuardDemoResult guard_demo(GuardDemoRun, DiagnosticId) override { return {}; }

    GpuSetup setup() override { return {}; }
    void install(InstallId) override {}
    void stop(InstallId) override {}

    VideoRequest read_settings(const std::filesystem::path&) override { return script_.settings; }
    VideoDescription describe_video(const std::filesystem::path&) override { return script_.description; }
    std::vector<FramePtr> read_frames(const std::filesystem::path&, const FrameSelection&, ReadId) override {
        return {};
    }
    void cancel_read(ReadId) override {}
    ExportResult export_video(const ExportRequest& request, ExportId id) override;
    void cancel_export(ExportId) override { is_export_cancelled_ = true; }
    FinishResult finish_video(const FinishRequest& request, FinishId id) override;
    void cancel_finish(FinishId) override {}
    void pause_finish(FinishId) override {}
    ExportEstimate estimate_export(const ExportRequest&) override { return {}; }

private:
    void play(JobId job);

    StubScript& script_;
    RunObserver& observer_;
    bool is_export_cancelled_ = false;
};

/// The result of a command that ran in this process.
struct CommandResult {
    int exit_code = -1;
    std::string out;
    std::string err;
};
CommandResult run_commands(StubScript& script, std::vector<std::string> arguments);

}  // namespace kinescope::testing
