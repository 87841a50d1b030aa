#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
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
#include "core/api/video_request.h"

namespace kinescope {

/// A run has started. `request` is resolved: every value is set, including the seed.
struct RunStarted {
    VideoRequest request;
    ModelCard card;
    PolicySummary policy;
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
};

enum class PreviewKind { latent, decoded };

/// Preview images. `latent`: a small projection of all latent frames, which replaces the previous preview. `decoded`:
/// final frames, to be appended starting at index `first_frame`.
struct PreviewReady {
    PreviewKind kind = PreviewKind::latent;
    int step = 0;
    int first_frame = 0;
    int num_frames = 0;   ///< number of frames of the whole video
    int frames_each = 1;  ///< number of video frames per preview frame
    Size final_size;
    std::vector<FramePtr> frames;
};

/// The statistics of every site of one step, in the order in which the sites ran.
struct NumericsReady {
    std::vector<NumericSample> samples;
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

struct LogLine {
    std::string level;  ///< info, note (about the request, not a fault), warning, error
    std::string text;
};

struct RunResult {
    std::filesystem::path output;
    std::filesystem::path numeric_log;
    std::string status;          ///< completed, healed, stopped (see stopped_after_step)
    int stopped_after_step = 0;  ///< last step of a video that was decoded early; 0: all steps were run
    int num_frames = 0;
    std::int64_t output_bytes = 0;
    double seconds = 0;
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

using RunEvent = std::variant<RunStarted, PhaseStarted, PhaseProgress, StepCompleted, PreviewReady, NumericsReady,
                              GuardActed, LogLine, RunFinished, RunFailed, RunCancelled, RunPaused, QueueChanged,
                              FileCheckProgress, ExportProgress, GpuSupportProgress>;

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
