#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/api/compute_precision.h"
#include "core/api/detector.h"
#include "core/api/error.h"
#include "core/api/file_check.h"
#include "core/api/frame.h"
#include "core/api/gpu_support.h"
#include "core/api/job.h"
#include "core/api/localizable_message.h"
#include "core/api/numeric_sample.h"
#include "core/api/policy_summary.h"
#include "core/api/video_export.h"
#include "core/api/video_finish.h"
#include "core/api/video_request.h"

namespace kinescope {

/// A run has started. `request` is resolved: every value is set, including the seed. The phases of a long video (see
/// VideoRequest::next_prompts) begin again with each part; its steps are counted over all parts.
struct RunStarted {
    VideoRequest request;
    ModelCard card;
    PolicySummary policy;
    int part = 0;  ///< index of the part with which the run starts, below num_parts(request)
};

struct PhaseStarted {
    Phase phase = Phase::load;
    int total = 0;  ///< number of units (MiB, steps, chunks, frames); 0: unknown
};

struct PhaseProgress {
    Phase phase = Phase::load;
    int done = 0;
    int total = 0;
    double seconds = 0;  ///< since the phase began
};

/// The source of a step's prediction: computed, or reused from an earlier step (see VideoRequest::step_cache).
enum class PredictionSource { computed, reused };

struct StepCompleted {
    int step = 0;  ///< 0-based
    int num_steps = 0;
    double timestep = 0;
    double sigma = 0;
    double seconds = 0;  ///< of this step
    TensorStats latents;
    TensorStats noise_pred;
    std::vector<std::int64_t> latents_histogram;  ///< 32 bins from histogram_min to histogram_max
    double histogram_min = 0;
    double histogram_max = 0;
    PredictionSource prediction = PredictionSource::computed;
    std::string preview_decoder = {};  ///< name of the tiny decoder that made the step's preview; empty: none
    double preview_seconds = 0;        ///< time of that decoder; not part of `seconds`
};

enum class PreviewKind { latent, decoded };

/// Preview images. `latent`: small pictures of all latent frames, which replace the previous preview: a projection of
/// the latents, or frames of a tiny decoder. `decoded`: final frames from index `first_frame` on, to be appended.
struct PreviewReady {
    PreviewKind kind = PreviewKind::latent;
    int step = 0;
    int first_frame = 0;
    int num_frames = 0;   ///< number of frames of the whole video
    int frames_each = 1;  ///< number of video frames per preview frame
    Size final_size;
    std::vector<FramePtr> frames;
    std::string decoder = {};  ///< name of the tiny decoder; empty: projected latents, or the model's VAE
};

/// The statistics of every site of one step, in the order in which the sites ran.
struct NumericsReady {
    std::vector<NumericSample> samples;
};

/// The op of a component that lost most to rounding in one attempt. Sent for components that compute in 16 bits, in the
/// steps that measure rounding, before the guard judges the attempt.
struct RoundingMeasured {
    Phase phase = Phase::denoise;
    int step = 0;
    int attempt = 0;
    std::string component;
    std::string site;
    ComputePrecision precision;
    double decibels = 0;  ///< ratio of the op's result in float32 to its rounding error
};

/// The guard's response to a finding.
enum class GuardAction {
    warn,                ///< changes nothing, only reports the finding
    observe,             ///< changes nothing, because the mode is GuardMode::observe
    repeat,              ///< runs the step again unchanged, watching every op
    accumulate_float32,  ///< turns half accumulation off and runs the step again
    raise,               ///< raises the op and runs the step again
    raise_ahead,         ///< raises the op, starting with the next step
    raise_component,     ///< raises the whole component and runs the step again
    move_to_cpu,         ///< runs the component again on the CPU
    stream_blocks,       ///< streams all blocks of the component and runs the step again
    decode_in_parts,     ///< decodes again in tiles or in shorter chunks
    learned,             ///< raises the op from the first step, because an earlier run had to
    stop,                ///< ends the run
};

/// Returns the enumerator's name, as in the numeric log.
std::string to_string(GuardAction action);

/// One `guard` record of the numeric log. Outside the denoising phase, a step is an encoder run or a VAE chunk.
struct GuardActed {
    Phase phase = Phase::denoise;
    int step = 0;
    std::string site;
    Detector detector = Detector::weights;
    LocalizableMessage found;
    GuardAction action = GuardAction::warn;
    ComputeMode before;
    ComputeMode after;
    int attempt = 0;
    double seconds = 0;
};

/// Returns true if the action reduces the memory that the rest of the run needs.
bool saves_memory(GuardAction action);
/// Returns true if the action changes how something computes in this run. Plain repetitions, measures that only save
/// memory and overrides from earlier runs do not.
bool is_repair(GuardAction action);
/// Returns true if the guard changed nothing: it only warned or observed.
bool is_warning(const GuardActed& record);
/// Returns a warning for the user in one line: "step 1, transformer.latents: 75 % of the latents did not change in this
/// step (S6)".
std::string warning_text(const GuardActed& record);

enum class LogLineLevel {
    info,
    note,  ///< about the request, not a fault
    warning,
    error,
};

/// Returns the enumerator's name.
std::string to_string(LogLineLevel level);

enum class LogTopic {
    other,
    unsaved_steps,  ///< finished steps of the job are not saved and are lost if the program ends
};

/// Returns the enumerator's name.
std::string to_string(LogTopic topic);

struct LogLine {
    LogLineLevel level = LogLineLevel::info;
    std::string text;
    LogTopic topic = LogTopic::other;
};

/// How a run ended, as in the summary of its numeric log. A RunResult that is sent has one of the first three.
enum class RunStatus {
    completed,
    healed,   ///< completed, after the guard changed how something computes
    stopped,  ///< the video was decoded early, see RunResult::stopped_after_step
    cancelled,
    failed,
};

/// Returns the enumerator's name.
std::string to_string(RunStatus status);
/// Converts a name to its status. Returns nullopt for any other text.
std::optional<RunStatus> run_status_from(std::string_view name);

struct RunResult {
    std::filesystem::path output;
    std::filesystem::path numeric_log;
    RunStatus status = RunStatus::completed;
    int stopped_after_step = 0;  ///< last step of a video that was decoded early; 0: all steps were run
    int num_frames = 0;
    std::int64_t output_bytes = 0;
    double seconds = 0;  ///< including the runs that this one continues
    std::map<std::string, double> seconds_by_phase;
    std::int64_t peak_memory_bytes = 0;     ///< of the CUDA device if one was used, otherwise of the process
    std::int64_t planned_memory_bytes = 0;  ///< planned peak; 0: no plan
    int guard_actions = 0;                  ///< actions in this run, without learned overrides
    int known_overrides = 0;                ///< overrides applied from the start
    std::vector<GuardActed> warnings;       ///< the first of each detector and site, in order
};

struct RunFinished {
    RunResult result;
};

struct RunFailed {
    Error error;
};

struct RunCancelled {
    int step = 0;                  ///< number of finished steps
    std::filesystem::path output;  ///< playable part of the video; empty: none
};

/// The job was paused: its state is saved and its memory is freed. No other event of the job follows until
/// JobQueue::resume.
struct RunPaused {
    int step = 0;                   ///< number of finished steps
    std::int64_t memory_bytes = 0;  ///< freed; 0: not measured
};

/// The list of jobs. Sent with job id 0 after every change of the queue; several changes may share an event.
struct QueueChanged {
    std::vector<Job> jobs;  ///< as listed by JobQueue::list
};

/// The fate of the job that an engine's process ran when it ended unexpectedly.
enum class AfterEngineEnd {
    no_job,     ///< no job was running
    goes_on,    ///< a new engine continues it after its last saved step
    set_aside,  ///< it ended its engine twice: only JobQueue::resume continues it; the other jobs go on
    lost,       ///< it was not saved on disk
};

/// Returns the enumerator's name.
std::string to_string(AfterEngineEnd after);

/// The engine's process ended unexpectedly. Sent with the id of the job that it ran, or 0. An engine in the observer's
/// own process never sends it.
struct EngineEnded {
    LocalizableMessage cause;             ///< one sentence; codes: "signal", "exit_code", "silent", "invalid_message"
    std::vector<std::string> last_lines;  ///< its last messages, oldest first
    AfterEngineEnd job = AfterEngineEnd::no_job;
    LocalizableMessage restart_failure;  ///< why no new engine could be started; empty: one runs
};

using RunEvent =
    std::variant<RunStarted, PhaseStarted, PhaseProgress, StepCompleted, PreviewReady, NumericsReady, RoundingMeasured,
                 GuardActed, LogLine, RunFinished, RunFailed, RunCancelled, RunPaused, QueueChanged, FileCheckProgress,
                 ExportProgress, FinishProgress, GpuSupportProgress, EngineEnded>;

/// Receives the events of one run.
using EventSink = std::function<void(const RunEvent&)>;

/// Receives all events. on_event is called on the worker thread or on a thread that calls the engine, and must return
/// immediately. The engine does not hold a lock during the call, so the observer may call the engine from any thread.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    virtual void on_event(JobId job, const RunEvent& event) = 0;
};

}  // namespace kinescope
