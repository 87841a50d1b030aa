#include "core/pipeline/video_pipeline.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/api/byte_size.h"
#include "core/api/video_parts.h"
#include "core/base/mapped_file.h"
#include "core/base/peak_memory.h"
#include "core/base/stopwatch.h"
#include "core/device/device_memory.h"
#include "core/device/rng.h"
#include "core/media/output_path.h"
#include "core/numerics/guard_record.h"
#include "core/pipeline/decode_phase.h"
#include "core/pipeline/denoise_phase.h"
#include "core/pipeline/encode_phase.h"
#include "core/pipeline/log_header.h"
#include "core/pipeline/open_output.h"
#include "core/pipeline/phase_services.h"
#include "core/pipeline/preview_folder.h"

namespace kinescope {

namespace {

/// Returns the checkpoint of an interrupted run, or nullopt if the run starts from the beginning.
std::optional<RunCheckpoint> recall(const PreparedRun& job) {
    return job.control == nullptr ? std::nullopt : job.control->load_checkpoint();
}

/// Returns the last finished step of a run that decodes early, without further steps, or 0 if all steps run.
int last_step(const PreparedRun& job, const std::optional<RunCheckpoint>& kept) {
    if (!kept || job.control == nullptr || !job.control->wants_decoding()) return 0;
    const int steps = kept->position.step;
    return steps < steps_to_run(job.request.sampling) ? steps : 0;
}

/// Throws Error(bad_config) if a run must decode its finished steps but has no checkpoint, because repeating the steps
/// may take hours.
void refuse_without_steps(const PreparedRun& job, const std::optional<RunCheckpoint>& kept) {
    if (job.control == nullptr || !job.control->wants_decoding() || (kept && kept->position.step > 0)) return;
    throw Error(ErrorCode::bad_config, "the job has no finished step that could be decoded",
                "Continue the job. It runs its steps again.");
}

/// Opens the output and starts the run, which owns its files from then on.
std::unique_ptr<FrameSink> begin_output(const PreparedRun& job, const std::optional<RunCheckpoint>& kept,
                                        const EventSink& emit, const CancellationToken& cancellation,
                                        const JoinEvents& join) {
    refuse_without_steps(job, kept);
    auto sink = open_output(job, last_step(job, kept), emit, cancellation, join);
    if (job.control != nullptr) job.control->on_begin(request_of(job));
    return sink;
}

GuardSetup guard_setup(const PreparedRun& job) {
    return {.mode = job.request.compute.guard,
            .kernels = job.policy.device().is_cpu() ? Kernels::repeatable : Kernels::varying,
            .half_accumulation = job.request.compute.half_accumulation,
            .device = job.policy.device().str(),
            .libraries = job.libraries};
}

JournalFiles journal_files(const PreparedRun& job, const std::optional<RunCheckpoint>& kept) {
    return {.numeric_log = job.request.output.numeric_log,
            .numeric_csv = job.request.output.numeric_csv,
            .kept = kept ? kept->position.numerics.log : LogLengths(),
            .overwrite = job.request.output.overwrite};
}

ModelFiles with_float8_notes(ModelFiles files) {
    files.float8_notes = std::make_shared<Float8Notes>();
    return files;
}

std::vector<std::filesystem::path> with_loras(std::vector<std::filesystem::path> files, const PreparedRun& job) {
    for (const LoraRequest& lora : job.request.content.loras) files.push_back(lora.path);
    return files;
}

class Run {
public:
    Run(const PreparedRun& job, const EventSink& emit, const CancellationToken& cancellation, TensorObserver& observer)
        : job_(job),
          device_memory_(job.policy.device()),
          kept_(recall(job)),
          sink_(begin_output(job, kept_, emit, cancellation,
                             {.on_joined = [this](double seconds) { seconds_by_phase_[kJoiningTime] += seconds; },
                              .on_seam = [this](const Seam& seam) { seam_findings_ = find_in_seam(seam); }})),
          weight_files_(weight_files(job)),
          model_files_(with_loras(weight_files_, job)),
          stopped_after_step_(last_step(job, kept_)),
          previews_(job.request.output.preview_dir),
          emit_([this, &emit](const RunEvent& event) {
              if (const auto fault = previews_.keep(event)) emit(LogLine{LogLineLevel::warning, *fault});
              emit(event);
          }),
          observer_(observer),
          files_(with_float8_notes(job.files)),
          noise_(job.request.sampling.seed),
          cache_(job.request.sampling.step_cache),
          numerics_(guard_setup(job), job.monitoring, journal_files(job, kept_), emit_),
          services_{.job = job_,
                    .files = files_,
                    .emit = emit_,
                    .cancellation = cancellation,
                    .observer = observer_,
                    .numerics = numerics_,
                    .noise = noise_,
                    .model_files = model_files_,
                    .seconds_by_phase = seconds_by_phase_},
          decode_(services_, sink_.get(), [this] {
              if (wants_pause()) throw paused();
          }) {}

    RunResult execute() {
        const Stopwatch watch;
        begin();
        RunResult result;
        try {
            const Conditioning encoded = conditioning();
            decode(denoise_latents(services_, denoise_options(), encoded));
            result = save(watch);
        } catch (const Cancelled&) {
            if (wants_pause()) throw paused();
            end_log({.status = RunStatus::cancelled}, "stopped by the user");
            throw;
        } catch (const StoppedWhileDecoding& stopped) {
            end_log({.output = stopped.output, .status = RunStatus::cancelled}, "stopped by the user while decoding");
            throw;
        } catch (const Error& error) {
            fail(error);
        } catch (const std::exception& error) {
            end_log({.status = RunStatus::failed}, error.what());
            throw;
        }
        const auto raised = numerics_.guard().overrides().list();
        if (job_.memory != nullptr && !raised.empty()) job_.memory->keep(raised, job_.policy);
        result.seconds = earlier_seconds_ + watch.seconds();
        result = end_log(std::move(result), words_of_end());
        warn_of_memory(result);
        return result;
    }

private:
    /// Logs the cause of the failure, and throws the error that explains it best.
    [[noreturn]] void fail(const Error& error) {
        check_model_files();
        if (const auto cause = observed_cause(error, numerics_.journal().state().warnings)) {
            numerics_.journal().write_down(guard_acted(*cause, GuardAction::stop));
            end_log({.status = RunStatus::failed}, cause->what());
            throw *cause;
        }
        if (const auto record = stop_record(error, job_.files)) numerics_.journal().write_down(*record);
        end_log({.status = RunStatus::failed}, error.what());
        throw;
    }

    /// Logs and throws an error if a model file changed during the run, because such a change explains every other
    /// error.
    void check_model_files() {
        try {
            model_files_.check();
        } catch (const Error& changed) {
            end_log({.status = RunStatus::failed}, changed.what());
            throw;
        }
    }

    std::string words_of_end() const {
        const int step = last_step_of_video(job_, stopped_after_step_);
        if (step == 0) return "";
        return "decoded after step " + std::to_string(step) + " of " + std::to_string(steps_to_run(request_of(job_))) +
               ", as requested by the user";
    }

    void begin() {
        NumericLog& log = numerics_.journal().log();
        if (log.lengths().json_lines == 0) log.write(header_record(log_header(job_, weight_files_)));
        emit_(RunStarted{
            .request = request_of(job_), .card = job_.card, .policy = job_.policy_summary, .part = part_index(job_)});
        emit_(PhaseStarted{Phase::load, 1});
        if (!kept_) return numerics_.guard().apply_learned(first_overrides());
        numerics_.restore(kept_->position.numerics);
        seconds_by_phase_ = kept_->position.seconds_by_phase;
        for (const auto& [phase, seconds] : seconds_by_phase_) earlier_seconds_ += seconds;
        steps_done_ = kept_->position.step;
    }

    std::vector<PrecisionOverride> first_overrides() const {
        const ResolvedCompute& compute = job_.request.compute;
        if (compute.override_source == OverrideSource::request) return from_requests(compute.overrides);
        return job_.memory == nullptr ? std::vector<PrecisionOverride>() : job_.memory->recall(job_.policy);
    }

    bool wants_pause() const { return job_.control != nullptr && job_.control->wants_pause(); }
    Paused paused() const {
        Paused end{.step = steps_done_, .memory_bytes = held_memory(job_.policy.device())};
        if (job_.control != nullptr) end.save_error = job_.control->finish_saving();
        return end;
    }

    RunPosition position(const Tensor& latents, const Tensor& clean, const SchedulerState& scheduler) {
        return {.step = steps_done_,
                .latents = latents,
                .clean = clean,
                .scheduler = scheduler,
                .noise = noise_.snapshot(),
                .cache = cache_.snapshot(),
                .guidance = guidance_,
                .numerics = numerics_.snapshot(),
                .seconds_by_phase = seconds_by_phase_};
    }

    /// Runs the encoders, or restores their output from the checkpoint.
    Conditioning conditioning() {
        if (!kept_) {
            Conditioning encoded = encode(services_);
            model_files_.check();
            if (job_.control != nullptr) job_.control->save_conditioning(encoded, position({}, {}, {}));
            if (wants_pause()) throw paused();
            return encoded;
        }
        noise_.restore(kept_->noise_after_encode);
        emit_(PhaseStarted{Phase::encode, 1});
        emit_(PhaseProgress{Phase::encode, 1, 1, seconds_by_phase_[to_string(Phase::encode)]});
        return kept_->conditioning;
    }

    DenoiseOptions denoise_options() {
        return {.cache = cache_,
                .guidance = guidance_,
                .kept = kept_ ? &kept_->position : nullptr,
                .last_step = stopped_after_step_,
                .after_step = [this](int steps_done, const Tensor& latents, const Tensor& clean,
                                     const Scheduler& scheduler) { keep_step(steps_done, latents, clean, scheduler); }};
    }

    void keep_step(int steps_done, const Tensor& latents, const Tensor& clean, const Scheduler& scheduler) {
        steps_done_ = steps_done;
        model_files_.check();     // before the step is saved
        services_.note_float8();  // of blocks and experts that this step loaded
        if (job_.control == nullptr) return;
        job_.control->save_step(position(latents, clean, scheduler.snapshot()));
        if (wants_pause()) throw paused();
    }

    /// Decodes the latents. If the user stops the run during decoding, the frames written so far become the video. A
    /// sink that has no frame yet, because it enlarges or interpolates the first one, throws Cancelled again.
    void decode(const Tensor& latents) {
        try {
            decode_.run(latents);
        } catch (const Cancelled&) {
            if (sink_ == nullptr || !decode_.has_begun_writing() || wants_pause()) throw;
            throw StoppedWhileDecoding{sink_->finish()};
        }
        numerics_.guard().note(seam_findings_);  // not before: a seam says nothing about the decoder
    }

    RunResult save(const Stopwatch& run) {
        const Stopwatch watch;
        emit_(PhaseStarted{Phase::save, 1});
        RunResult result{.status = status(),
                         .stopped_after_step = stopped_after_step_,
                         .num_frames = num_output_frames(job_, decode_.num_frames()),
                         .seconds = earlier_seconds_ + run.seconds()};
        if (job_.control != nullptr)
            job_.control->on_video_written(sink_ == nullptr ? std::filesystem::path() : sink_->temporary(),
                                           measured(result));
        complete_observer();
        if (sink_ != nullptr) result.output = sink_->finish();
        result.numeric_log = job_.request.output.numeric_log;
        services_.finish_phase(Phase::save, watch.seconds());
        result.output_bytes = output_size(result.output);
        return result;
    }

    RunStatus status() {
        if (last_step_of_video(job_, stopped_after_step_) > 0) return RunStatus::stopped;
        return numerics_.journal().state().has_healed ? RunStatus::healed : RunStatus::completed;
    }

    /// Turns a failure of an additional output into a warning, because it must not discard the video.
    void complete_observer() {
        try {
            observer_.on_complete();
        } catch (const Error& error) {
            const bool is_kept = !error.argument("kept").empty();  // under another name
            emit_(LogLine{LogLineLevel::warning, error.message() + (is_kept ? "" : "; the video is saved without it")});
        }
    }

    void warn_of_memory(const RunResult& result) {
        const auto allowed = job_.request.compute.max_memory_bytes;
        if (allowed == 0 || result.peak_memory_bytes <= allowed) return;
        emit_(LogLine{LogLineLevel::warning, "the run used up to " + format_byte_size(result.peak_memory_bytes) +
                                                 " of memory, more than max_memory allows (" +
                                                 format_byte_size(allowed) + "); the plan was " +
                                                 format_byte_size(result.planned_memory_bytes)});
    }

    /// Adds what was measured so far to the result.
    RunResult measured(RunResult result) {
        const NumericsJournal& journal = numerics_.journal();
        result.seconds_by_phase = seconds_by_phase_;
        result.peak_memory_bytes = job_.policy.device().is_cuda() ? device_memory_.bytes() : memory_.bytes();
        result.planned_memory_bytes = job_.planned_memory_bytes;
        result.guard_actions = journal.state().guard_actions;
        result.known_overrides = journal.state().known_overrides;
        result.warnings = journal.state().warnings;
        return result;
    }

    /// Completes the result, whatever its status, and writes the log's last record.
    RunResult end_log(RunResult result, const std::string& reason) {
        NumericsJournal& journal = numerics_.journal();
        result = measured(std::move(result));
        journal.log().write(summary_record(result, reason));
        if (!journal.log().is_whole()) result.numeric_log.clear();
        return result;
    }

    const PreparedRun& job_;
    const PeakMemory memory_;
    const PeakDeviceMemory device_memory_;
    const std::optional<RunCheckpoint> kept_;
    std::unique_ptr<FrameSink> sink_;  // before the members that write files, because it refuses to overwrite
    const std::vector<std::filesystem::path> weight_files_;
    const FileWatch model_files_;
    const int stopped_after_step_;  ///< see last_step
    PreviewFolder previews_;
    EventSink emit_;
    TensorObserver& observer_;
    const ModelFiles files_;
    NoiseSource noise_;
    PredictionCache cache_;
    GuidanceState guidance_;
    RunNumerics numerics_;
    std::map<std::string, double> seconds_by_phase_;
    double earlier_seconds_ = 0;  ///< of the runs that this one continues
    std::vector<Finding> seam_findings_;
    const PhaseServices services_;
    DecodePhase decode_;
    int steps_done_ = 0;
};

}  // namespace

VideoRequest request_of(const PreparedRun& job) {
    VideoRequest request = to_request(job.request, job.card);
    return job.part ? whole_of(std::move(request), job.part->whole, job.part->index) : request;
}

int last_step_of_video(const PreparedRun& job, int last_step) {
    return job.part ? job.part->stopped_after_step : last_step;
}

int part_index(const PreparedRun& job) {
    return job.part ? job.part->index : 0;
}

RunResult run_video(const PreparedRun& job, const EventSink& emit, const CancellationToken& cancellation,
                    TensorObserver& observer) {
    return Run(job, emit, cancellation, observer).execute();
}

}  // namespace kinescope
