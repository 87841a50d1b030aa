#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/progress.h"
#include "app/cli/request_arguments.h"
#include "app/cli/session.h"
#include "core/cluster/slurm_options.h"

// The commands of kinescope-cli, each in a separate file. All return the exit code and throw Error.
namespace kinescope::cli {

enum class AfterSubmission { leave, wait };

/// What `generate --slurm` and `serve --slurm` ask the cluster for.
struct SubmitArguments {
    cluster::SlurmOptions options;
    std::string memory;                ///< e.g. "16GiB"; empty: from the memory plan
    std::filesystem::path shared_dir;  ///< empty: $KINESCOPE_SHARED_DIR
    AfterSubmission then = AfterSubmission::leave;
    double poll_seconds = 5;
};

struct GenerateArguments {
    RequestArguments request;
    std::filesystem::path batch;  ///< JSON Lines file with one request per line
    int num_seeds = 1;            ///< number of videos for each prompt, with consecutive seeds
    ProgressKind progress = ProgressKind::automatic;
    std::filesystem::path jobs_dir;               ///< folder of the saved queue; empty: default_jobs_dir()
    std::optional<SubmitArguments> cluster = {};  ///< run on a Slurm cluster instead of on this computer
};
int generate(const Session& session, const GenerateArguments& arguments);

/// Which job to resume if none is named: the only one, the newest one, or all.
enum class ResumeChoice { only, last, all };

/// What to do with an unfinished job.
enum class ResumeAction {
    go_on,        ///< continue after the last finished step
    skip_finish,  ///< continue, and leave out the finish steps
    decode_now,   ///< decode the last finished step
    start_over,   ///< start again from the first step
    discard       ///< delete the job
};

struct ResumeArguments {
    std::string job;                 ///< number or folder; empty: selected by `choice`
    std::filesystem::path jobs_dir;  ///< folder of the saved queue; empty: default_jobs_dir()
    ResumeChoice choice = ResumeChoice::only;
    ResumeAction action = ResumeAction::go_on;
    ProgressKind progress = ProgressKind::automatic;
};
int resume(const Session& session, const ResumeArguments& arguments);

int plan(const Session& session, const RequestArguments& arguments);

enum class InspectDepth { names, values };  ///< `values` reads every byte of the weights

struct InspectArguments {
    std::filesystem::path path;
    InspectDepth depth = InspectDepth::names;
};
/// Describes a model file or folder, or prints the settings of a video. Returns 1 if a file differs from the published
/// one, 4 if a tensor contains NaN or infinity.
int inspect(const Session& session, const InspectArguments& arguments);

struct VerifyArguments {
    std::vector<std::filesystem::path> case_dirs;
    VerifyOptions options;
};
int verify(const Session& session, const VerifyArguments& arguments);

enum class OverrideAction { list, forget };

struct DoctorArguments {
    OverrideAction overrides = OverrideAction::list;
    CanaryMode canary = CanaryMode::cached;
};
int doctor(const Session& session, const DoctorArguments& arguments);

int list_devices(const Session& session);

int list_models(const Session& session);

struct PresetsArguments {
    std::string model = VideoRequest().model;
    std::string device = VideoRequest().device;
};
/// Lists the presets for a model, their settings and drawbacks.
int list_presets(const Session& session, const PresetsArguments& arguments);

enum class GpuSupportAction { status, install, remove };
enum class DriverCheck { required, skipped };

struct GpuSupportArguments {
    GpuSupportAction action = GpuSupportAction::status;
    std::string index;  ///< package index; empty: from the environment or the manifest
    DriverCheck driver = DriverCheck::required;
    ProgressKind progress = ProgressKind::automatic;  ///< automatic or none
};
/// Installs, removes or describes LibTorch's CUDA backend in the user's data folder.
int gpu_support(const Session& session, const GpuSupportArguments& arguments);

struct BenchArguments {
    RequestArguments request;
    int repeats = 5;
};
int bench(const Session& session, const BenchArguments& arguments);

struct CompareArguments {
    std::filesystem::path a;
    std::filesystem::path b;
    std::optional<double> tolerance = {};  ///< of logs, see CompareTolerance::relative
    std::optional<double> psnr_db = {};    ///< of videos
};
int compare(const Session& session, const CompareArguments& arguments);

/// Writes a copy of a video in another format.
int export_clip(const Session& session, const ExportRequest& request);

struct FinishArguments {
    FinishRequest request;
    std::map<std::string, std::string> aliases = {};  ///< see RequestArguments
    ProgressKind progress = ProgressKind::automatic;
};
/// Writes a copy of a video with larger frames, frames in between, or other sound.
int finish(const Session& session, const FinishArguments& arguments);

enum class ClusterAction { status, wait, cancel, resume, list, remove, run_task };

/// What `cluster remove` does with videos that can be resumed.
enum class UnfinishedVideos { keep, discard };

struct ClusterArguments {
    ClusterAction action = ClusterAction::status;
    std::string batch;        ///< id or folder; empty: the newest one
    std::vector<int> tasks;   ///< for cancel; empty: all
    SubmitArguments changed;  ///< for resume: the program and what tasks ask for, if that replaces the batch's
    UnfinishedVideos unfinished = UnfinishedVideos::keep;
    int submission = 1;  ///< for run_task
    int index = 1;       ///< for run_task
    double poll_seconds = 5;
    ProgressKind progress = ProgressKind::automatic;
};
/// Shows, follows, ends or continues batches on a Slurm cluster, or runs a task of one on a node.
int cluster_command(const Session& session, const ClusterArguments& arguments);

enum class ServeAction {
    serve,      ///< the engine ends with the program that it serves
    keep,       ///< connects the program to an engine that goes on after it, and starts that one if necessary
    keep_here,  ///< is that engine
    print_schema
};

struct ServeArguments {
    ServeAction action = ServeAction::serve;
    std::filesystem::path jobs_dir;  ///< empty: default_jobs_dir()
    JobStart job_start = JobStart::by_itself;
    std::string device;            ///< see EngineOptions
    std::filesystem::path folder;  ///< of a kept engine; empty: computers::kept_engine_folder()
    double idle_seconds = 600;     ///< a kept engine ends after this time without a program and a running job
    std::optional<SubmitArguments> cluster = {};  ///< jobs run on a Slurm cluster
};
/// Serves one program: the protocol is described in resources/engine_protocol.md. Messages go to stderr.
int serve(const Session& session, const ServeArguments& arguments);

}  // namespace kinescope::cli
