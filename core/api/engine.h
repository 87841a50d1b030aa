#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/doctor_report.h"
#include "core/api/file_check.h"
#include "core/api/preset_info.h"
#include "core/api/run_event.h"
#include "core/api/sentence.h"
#include "core/api/video_request.h"

namespace kinescope {

/// One part of a checkpoint as `inspect` shows it.
struct ComponentDescription {
    std::string name;    ///< "transformer"
    std::string kind;    ///< class, e.g. "WanTransformer3DModel"
    std::string naming;  ///< whose tensor names the file has; empty: the diffusers folder's own
    std::vector<std::filesystem::path> files;
    std::int64_t num_tensors = 0;
    std::int64_t num_parameters = 0;
    std::int64_t bytes = 0;
    std::vector<std::pair<std::string, std::int64_t>> dtypes;  ///< dtype name and how many tensors have it
    std::vector<FileCheck> checks = {};                        ///< what check_file found in its files as they are now
};

struct CheckpointDescription {
    std::filesystem::path path;
    ModelCard card;      ///< card.family is empty when nothing fits
    std::string layout;  ///< "diffusers folder", "single file" ...
    std::vector<ComponentDescription> components;
    std::vector<Sentence> missing;  ///< parts that are not there; each has a value "component"
    std::vector<Sentence> reasons;  ///< why it was recognised, or why not
};

struct PhasePlan {
    Phase phase = Phase::load;
    double seconds = 0;  ///< estimate; 0: not known
    std::int64_t memory_bytes = 0;
    std::vector<std::pair<std::string, std::int64_t>> parts;  ///< weights, activations ...
};

struct Plan {
    VideoRequest request;  ///< resolved
    ModelCard card;
    PolicySummary policy;
    std::vector<PhasePlan> phases;
    std::int64_t peak_memory_bytes = 0;
    std::int64_t free_memory_bytes = 0;
    Sentence free_memory_limit;  ///< what restricts it below the computer's free memory; empty: nothing
    double seconds = 0;          ///< estimate of the whole; 0: not known
    std::vector<std::string> notes;
};

/// One compared tensor of a golden case.
struct VerifyRow {
    std::string component;
    std::string tensor;
    double max_abs_error = 0;
    double relative_error = 0;  ///< max abs error / max abs of the reference
    double psnr_db = 0;         ///< frames only
    double tolerance = 0;
    bool passed = false;
    std::string first_different_block;
};

/// Where and in what a golden case is replayed.
struct VerifyOptions {
    std::string device = "cpu";  ///< as in a request
    std::string dtype = "fp32";  ///< of every component
};

struct VerifyReport {
    std::filesystem::path case_dir;
    std::vector<VerifyRow> rows;
    bool passed = false;
};

struct BenchRow {
    std::string name;  ///< "denoise step", "decode" ...; "denoise: gemm": the part of a phase that is such work
    double median_seconds = 0;
    double min_seconds = 0;
    double max_seconds = 0;
    int repeats = 0;
    double ratio = 0;  ///< of the medians, to `compared_to`; 0: not compared
    std::string compared_to = {};
};

/// From where on two runs are not the same.
struct CompareTolerance {
    double relative = 1e-3;  ///< of a statistic, to the site's max_abs
    double psnr_db = 40.0;   ///< of a frame
};

/// What `compare` found in two numeric logs or two videos.
struct CompareReport {
    std::string kind;                   ///< "logs" or "videos"
    std::vector<std::string> requests;  ///< what was asked for differently: "seed: 7 against 8"
    std::string first_difference;       ///< step and site, or frame, with both values; empty: none beyond tolerance
    double first_relative = 0;          ///< logs: how large it is, measured as largest_difference is
    double largest_difference = 0;      ///< logs: relative to the site's largest value
    std::string largest_site;
    int num_compared = 0;            ///< statistics, or frames
    int num_other_count = 0;         ///< logs: statistics of another number of values, which are not compared
    std::string other_count;         ///< the first of them: "encode, text_encoder shared: 1240 values against 5120"
    int num_unpaired = 0;            ///< logs: statistics that only one run has
    std::vector<Sentence> problems;  ///< why the files cannot be judged: nothing to compare, a log that ends early
    double psnr_db = 0;              ///< videos
    bool passed = false;             ///< judged, and no difference beyond tolerance
};

/// Whether the observer is sent QueueChanged. Each holds the whole queue: with thousands of jobs a program that does
/// not show it does without.
enum class QueueEvents { sent, not_sent };

struct EngineOptions {
    std::filesystem::path resources_dir;  ///< holds demo_model/; empty: found beside the program
    /// A program whose main calls run_as_canary_child and run_as_reader_child, to try accelerators before their first
    /// use, and to read pictures and videos, in a process of their own; empty: no accelerator is tried, and files are
    /// read in this process.
    std::filesystem::path program = {};
    /// Where the queue is kept, so that it outlives the program; empty: nothing is kept on disk. See default_jobs_dir.
    std::filesystem::path jobs_dir = {};
    QueueEvents queue_events = QueueEvents::sent;
};

/// "$XDG_STATE_HOME/kinescope/jobs", or below ~/.local/state.
std::filesystem::path default_jobs_dir();

/// The facade over the worker thread. Every method may be called from any thread; those that say so block.
class Engine {
public:
    virtual ~Engine() = default;

    /// Puts a request at the end of the queue and returns at once. Faults are reported as RunFailed. A job that cannot
    /// be kept on disk is made all the same; the log says so.
    virtual JobId submit(VideoRequest request) = 0;
    /// Asks a job to stop: within one transformer block when it runs, at once when it waits or is paused.
    virtual void cancel(JobId job) = 0;

    // The queue. Each change is on disk before the call returns, and is told by QueueChanged. Jobs that an earlier
    // program left behind are listed, but begin only with proceed, retry or release_queue. A job that is not there, or
    // not in a fitting state, is left as it is; only edit and retry throw Error(bad_request) then. A job that another
    // program works on: Error(unsupported).

    /// Every job in the order of work; those that are over stay until remove().
    virtual std::vector<JobRecord> jobs() = 0;
    /// One of them; nullopt: it is not there.
    virtual std::optional<JobRecord> job(JobId job) = 0;
    /// Stops a running job after the current step (when frames are decoded: after the chunk), keeps what it needs to go
    /// on and gives its memory back: RunPaused. A waiting one is paused at once.
    virtual void pause(JobId job) = 0;
    /// The same, but within one transformer block: the step under way is dropped, what was done before it is kept.
    /// RunPaused, for a waiting job too.
    virtual void suspend(JobId job) = 0;
    /// Makes the video of a paused, interrupted or failed job from what is there: decodes its last finished step as the
    /// preview shows it. Throws Error(bad_request) where no step is finished.
    virtual void decode_now(JobId job) = 0;
    /// Goes on with a paused, interrupted or failed job from its last good step, bit for bit as if it had never
    /// stopped.
    virtual void proceed(JobId job) = 0;
    /// Moves a job to a place in jobs(), 0 the first; beyond the end: to the end.
    virtual void move(JobId job, int position) = 0;
    /// Gives a waiting job another request.
    virtual void edit(JobId job, VideoRequest request) = 0;
    /// Takes a job out of the queue for good; a running one is cancelled first.
    virtual void remove(JobId job) = 0;
    /// Begins no further job until release_queue; a running one goes on.
    virtual void hold_queue() = 0;
    /// Begins with every waiting job, those of an earlier program too.
    virtual void release_queue() = 0;
    /// Puts a job that neither runs nor has finished into the queue again, from its first step. Its finished steps are
    /// deleted.
    virtual void retry(JobId job) = 0;

    /// The model's card, read from metadata only. Throws Error. Blocks for the time of a few small reads.
    virtual ModelCard card(const std::string& model) = 0;
    /// The same of a request's model with the parts that the request replaces.
    virtual ModelCard card(const VideoRequest& request) = 0;
    /// The models that can be chosen: the built-in one first.
    virtual std::vector<ModelCard> models() = 0;
    virtual CheckpointDescription describe_checkpoint(const std::filesystem::path& path) = 0;
    /// Reads one file of weights from end to end: its SHA-256, beside the one it was published with where that is
    /// known, and each tensor's numbers. What was found is kept for describe_checkpoint until the file is another one.
    /// Blocks for as long as the disk takes; any thread may read beside others. Throws Error(cancelled) when `progress`
    /// says so, and what opening the file throws.
    virtual FileCheck check_file(const std::filesystem::path& file, const CheckProgress& progress) = 0;
    /// The devices of this machine, the automatic choice first.
    virtual std::vector<DeviceInfo> devices() = 0;
    /// Libraries, devices, what they do in the canary and what is known of them. Blocks for up to a minute where a
    /// device is to be tried.
    virtual DoctorReport doctor(CanaryMode mode) = 0;
    /// Deletes what the guard has learned of all devices and models. Returns for how many of them there was something.
    virtual int forget_overrides() = 0;
    /// The presets by name, as they can be chosen for this request's model and device. Throws Error(bad_config) where
    /// one of the user's cannot be used.
    virtual std::vector<PresetInfo> presets(const VideoRequest& request) = 0;
    /// What a run would do; loads no weights. Throws Error(bad_request) with every fault.
    virtual Plan plan(const VideoRequest& request) = 0;
    /// Number of text tokens of a prompt, with the end token. Blocks on first use of a model's tokenizer.
    virtual int count_tokens(const std::string& model, const std::string& prompt) = 0;
    /// Replays a golden case within the tolerance of the device and dtype; blocks until done.
    virtual VerifyReport verify(const std::filesystem::path& case_dir, const VerifyOptions& options = {}) = 0;
    /// Times the parts of a request; blocks until done.
    virtual std::vector<BenchRow> bench(const VideoRequest& request, int repeats) = 0;
    /// Compares two numeric logs, or two videos. Blocks. Throws Error.
    virtual CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                                  const CompareTolerance& tolerance) = 0;
    /// The request stored in a video made by Kinescope. Throws Error(no_settings).
    virtual VideoRequest read_settings(const std::filesystem::path& video) = 0;
    /// Pictures of a video. Blocks. Throws Error(file_not_found, file_unreadable).
    virtual std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection) = 0;
};

/// The real engine. Starts its worker thread; `observer` must outlive it. Initialises LibTorch on the worker thread.
std::unique_ptr<Engine> make_engine(EngineOptions options, RunObserver& observer);

}  // namespace kinescope
