#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/api/error.h"
#include "core/api/frame.h"
#include "core/api/job_record.h"
#include "core/api/numeric_sample.h"
#include "core/api/policy_summary.h"
#include "core/api/sentence.h"
#include "core/api/video_request.h"

namespace kinescope {

/// A job left the queue. `request` is resolved: every value is set, the seed too.
struct RunStarted {
    VideoRequest request;
    ModelCard card;
    PolicySummary policy;
};

struct PhaseStarted {
    Phase phase = Phase::load;
    int total = 0;  ///< units of this phase (bytes in MiB, steps, chunks, frames); 0: not known
};

struct PhaseProgress {
    Phase phase = Phase::load;
    int done = 0;
    int total = 0;
    double seconds = 0;  ///< since the phase began
};

/// Where a step's prediction is from: the model, or an earlier step (see VideoRequest::step_cache).
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

/// Pictures as they are at this moment. `latent`: a small projection of all latent frames, newest wins.
/// `decoded`: final frames from index `first_frame` on, to be appended.
struct PreviewReady {
    PreviewKind kind = PreviewKind::latent;
    int step = 0;
    int first_frame = 0;
    int num_frames = 0;   ///< of the whole video
    int frames_each = 1;  ///< video frames that one preview frame stands for
    Size final_size;
    std::vector<FramePtr> frames;
};

/// The statistics of every site of one step, in the order in which the sites ran.
struct NumericsReady {
    std::vector<NumericSample> samples;
};

/// What the guard did about what it found.
enum class GuardAction {
    warn,                ///< nothing: it is only reported
    observe,             ///< nothing: GuardMode::observe
    repeat,              ///< runs the step again unchanged, watching every op
    accumulate_float32,  ///< turns half accumulation off and runs the step again
    raise,               ///< raises the op and runs the step again
    raise_ahead,         ///< raises the op from the next step on
    raise_component,     ///< raises the whole component and runs the step again
    move_to_cpu,         ///< runs the component again on the CPU
    learned,             ///< raised from the start, as an earlier run had to
    stop,                ///< ends the run
};

/// As in the numeric log: the enumerator's name.
std::string to_string(GuardAction action);

/// One `guard` record of the numeric log. A step of another phase than denoising is an encoder run or a VAE chunk.
struct GuardActed {
    Phase phase = Phase::denoise;
    int step = 0;
    std::string site;
    std::string detector;  ///< S0 .. S11
    Sentence found;
    GuardAction action = GuardAction::warn;
    std::string before;
    std::string after;
    int attempt = 0;
    double seconds = 0;
};

/// True if the guard changed nothing: it only warns, or only observes.
bool is_warning(const GuardActed& record);
/// A warning for people, in one line: "step 1, transformer.latents: 75 % of the latents did not change in this step
/// (S6)".
std::string warning_text(const GuardActed& record);

struct LogLine {
    std::string level;  ///< info, note (of the request, not of a fault), warning, error
    std::string text;
};

struct RunResult {
    std::filesystem::path output;
    std::filesystem::path numeric_log;
    std::string status;          ///< completed, healed, stopped (see stopped_after_step)
    int stopped_after_step = 0;  ///< of a video that was decoded before its last step; 0: every step was made
    int num_frames = 0;
    std::int64_t output_bytes = 0;
    double seconds = 0;
    std::map<std::string, double> seconds_by_phase;
    std::int64_t peak_memory_bytes = 0;     ///< of the CUDA device that computed, else of the process
    std::int64_t planned_memory_bytes = 0;  ///< what was planned for that; 0: nothing
    int guard_actions = 0;                  ///< of this run; what an earlier one had learned is not among them
    int known_overrides = 0;                ///< that were in place from the start
    std::vector<GuardActed> warnings;       ///< the first of each detector and site, in order
};

struct RunFinished {
    RunResult result;
};

struct RunFailed {
    Error error;
};

struct RunCancelled {
    int step = 0;                  ///< steps that were done
    std::filesystem::path output;  ///< what is playable; empty: nothing was kept
};

/// The last event of a job until Engine::proceed: what it needs to go on is kept, its memory is given back.
struct RunPaused {
    int step = 0;                   ///< steps that are done
    std::int64_t memory_bytes = 0;  ///< given back; 0: not measured
};

/// The queue is another one. Comes with job id 0.
struct QueueChanged {
    std::vector<JobRecord> jobs;  ///< as Engine::jobs() tells them
};

using RunEvent = std::variant<RunStarted, PhaseStarted, PhaseProgress, StepCompleted, PreviewReady, NumericsReady,
                              GuardActed, LogLine, RunFinished, RunFailed, RunCancelled, RunPaused, QueueChanged>;

/// Told of everything that happens to jobs. Called on the worker thread, or on the one whose call to the engine changed
/// the queue; never under a lock that a call to the engine needs. Must return at once.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    virtual void on_event(JobId job, const RunEvent& event) = 0;
};

}  // namespace kinescope
