#include "core/pipeline/video_pipeline.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <optional>

#include "core/api/byte_size.h"
#include "core/base/mapped_file.h"
#include "core/base/peak_memory.h"
#include "core/base/stopwatch.h"
#include "core/device/block_reuse.h"
#include "core/device/device_memory.h"
#include "core/device/dtype.h"
#include "core/device/rng.h"
#include "core/media/output_path.h"
#include "core/pipeline/denoise_loop.h"
#include "core/pipeline/embedding_check.h"
#include "core/pipeline/fallback.h"
#include "core/pipeline/frame_check.h"
#include "core/pipeline/input_image.h"
#include "core/pipeline/latent_preview.h"
#include "core/pipeline/log_header.h"
#include "core/pipeline/numerics_recorder.h"
#include "core/pipeline/open_output.h"
#include "core/pipeline/preview_folder.h"

namespace kinescope {

namespace {

/// The run so far.
std::optional<KeptRun> recall(const VideoJob& job) {
    return job.keeper == nullptr ? std::nullopt : job.keeper->recall();
}

/// After how many steps a run ends that is not to make further ones; 0: it makes every step.
int last_step(const VideoJob& job, const std::optional<KeptRun>& kept) {
    if (!kept || job.keeper == nullptr || !job.keeper->ends_now()) return 0;
    const int steps = kept->position.step;
    return steps < job.request.num_inference_steps.value_or(0) ? steps : 0;
}

/// Who asks for the video of the finished steps does not ask for hours of further ones.
void refuse_without_steps(const VideoJob& job, const std::optional<KeptRun>& kept) {
    if (job.keeper == nullptr || !job.keeper->ends_now() || (kept && kept->position.step > 0)) return;
    throw Error(ErrorCode::bad_config, "no finished step is left that could be decoded",
                "Continue the job: it makes its steps again.");
}

/// Opens the output. From then on the files of the run are its own.
std::unique_ptr<FrameSink> begin_output(const VideoJob& job, const std::optional<KeptRun>& kept) {
    refuse_without_steps(job, kept);
    auto sink = open_output(job, last_step(job, kept));
    if (job.keeper != nullptr) job.keeper->on_begin(job.request);
    return sink;
}

/// What every step reads, where the steps are computed; what they read as numbers stays with the host.
Conditioning on_device(Conditioning conditioning, const Device& device) {
    for (Tensor* tensor :
         {&conditioning.prompt_embeds, &conditioning.negative_prompt_embeds, &conditioning.prompt_embeds_2,
          &conditioning.negative_prompt_embeds_2, &conditioning.image_embeds, &conditioning.condition})
        if (tensor->defined()) *tensor = tensor->to(device);
    return conditioning;
}

RecorderSetup recorder_setup(const VideoJob& job, const std::optional<KeptRun>& kept) {
    return {.guard = job.request.guard,
            .monitoring = job.monitoring,
            .kernels = job.policy.device().is_cpu() ? Kernels::repeatable : Kernels::varying,
            .half_accumulation = job.request.half_accumulation,
            .device = job.policy.device().str(),
            .libraries = job.libraries,
            .numeric_log = job.request.output.numeric_log,
            .numeric_csv = job.request.output.numeric_csv,
            .kept_log = kept ? kept->position.recorder.log : LogLengths()};
}

std::vector<std::filesystem::path> watched_files(const VideoJob& job) {
    std::vector<std::filesystem::path> files = weight_files(job);
    for (const LoraRequest& lora : job.request.loras) files.push_back(lora.path);
    return files;
}

class Run {
public:
    Run(const VideoJob& job, const EventSink& emit, const CancellationToken& cancellation, RunTaps& taps)
        : job_(job),
          device_memory_(job.policy.device()),
          kept_(recall(job)),
          sink_(begin_output(job, kept_)),
          model_files_(watched_files(job)),
          stopped_after_step_(last_step(job, kept_)),
          previews_(job.request.output.preview_dir),
          emit_([this, &emit](const RunEvent& event) {
              if (const auto fault = previews_.keep(event)) emit(LogLine{"warning", *fault});
              emit(event);
          }),
          cancellation_(cancellation),
          taps_(taps),
          noise_(*job.request.seed),
          cache_(job.request.step_cache.value_or(0)),
          recorder_(recorder_setup(job, kept_), emit_) {}

    RunResult execute() {
        const Stopwatch watch;
        begin();
        RunResult result;
        try {
            result = decode(denoise_latents(conditioning()));
        } catch (const Cancelled&) {
            if (wants_pause()) throw paused();
            end_log({.status = "cancelled"}, "stopped by the user");
            throw;
        } catch (const StoppedWhileDecoding& stopped) {
            end_log({.output = stopped.output, .status = "cancelled"}, "stopped by the user while decoding");
            throw;
        } catch (const Error& thrown) {
            const Error error = cause_of(thrown);
            stop_with_first_cause(error);
            if (const auto record = stop_record(error, job_.files)) recorder_.write_down(*record);
            end_log({.status = "failed"}, error.what());
            throw error;
        } catch (const std::exception& error) {
            end_log({.status = "failed"}, error.what());
            throw;
        }
        const auto raised = recorder_.overrides().list();
        if (job_.memory != nullptr && !raised.empty()) job_.memory->keep(raised, job_.policy);
        result.seconds = watch.seconds();
        result = end_log(std::move(result), words_of_end());
        warn_of_memory(result);
        return result;
    }

private:
    /// While the guard only observes, frames fail because of what it saw many steps before: that is what ends the run.
    void stop_with_first_cause(const Error& error) {
        const auto first = first_not_finite(recorder_.warnings());
        if (!first || !is_about_frames(error)) return;
        const Error cause = observed_error(*first, error);
        recorder_.write_down(acted_on_error(cause, GuardAction::stop));
        end_log({.status = "failed"}, cause.what());
        throw cause;
    }

    /// A model file that changed under the run explains whatever else went wrong.
    Error cause_of(const Error& error) const {
        try {
            model_files_.check();
        } catch (const Error& changed) {
            return changed;
        }
        return error;
    }

    std::string words_of_end() const {
        if (stopped_after_step_ == 0) return "";
        return "decoded after step " + std::to_string(stopped_after_step_) + " of " +
               std::to_string(*job_.request.num_inference_steps) + ", as the user asked";
    }

    void begin() {
        if (recorder_.log().lengths().json_lines == 0) recorder_.log().write(header_record(log_header(job_)));
        emit_(RunStarted{.request = job_.request, .card = job_.card, .policy = job_.policy_summary});
        emit_(PhaseStarted{Phase::load, 1});
        if (kept_)
            go_on_from(kept_->position);
        else
            recorder_.apply_learned(first_overrides());
    }

    std::vector<PrecisionOverride> first_overrides() const {
        if (job_.request.overrides) return from_requests(*job_.request.overrides);
        return job_.memory == nullptr ? std::vector<PrecisionOverride>() : job_.memory->recall(job_.policy);
    }

    void go_on_from(const RunPosition& position) {
        recorder_.restore(position.recorder);
        seconds_by_phase_ = position.seconds_by_phase;
        steps_done_ = position.step;
    }

    bool wants_pause() const { return job_.keeper != nullptr && job_.keeper->wants_pause(); }
    Paused paused() const { return {.step = steps_done_, .memory_bytes = held_memory(job_.policy.device())}; }

    RunPosition position(const Tensor& latents, const Tensor& clean, const SchedulerState& scheduler) {
        return {.step = steps_done_,
                .latents = latents,
                .clean = clean,
                .scheduler = scheduler,
                .noise = noise_.snapshot(),
                .cache = cache_.snapshot(),
                .recorder = recorder_.snapshot(),
                .seconds_by_phase = seconds_by_phase_};
    }

    /// What was encoded in this process or in an earlier one, with the noise where the encoders left it.
    Conditioning conditioning() {
        if (!kept_) {
            Conditioning encoded = encode();
            model_files_.check();
            if (job_.keeper != nullptr) job_.keeper->keep_conditioning(encoded, position({}, {}, {}));
            if (wants_pause()) throw paused();
            return encoded;
        }
        noise_.restore(kept_->noise_after_encode);
        emit_(PhaseStarted{Phase::encode, 1});
        emit_(PhaseProgress{Phase::encode, 1, 1, seconds_by_phase_[to_string(Phase::encode)]});
        return kept_->conditioning;
    }

    Conditioning encode() {
        const Stopwatch watch;
        emit_(PhaseStarted{Phase::encode, 1});
        const FreedBlocksReturn returning;
        recorder_.enter({.phase = Phase::encode});
        Conditioning conditioning = encode_somewhere();
        recorder_.note(float8_.take());
        recorder_.note(check_embeddings(job_.request, conditioning));
        taps_.on_conditioning(conditioning);
        finish_phase(Phase::encode, watch);
        return conditioning;
    }

    /// A component that is not finite on its device, in float32 too, is tried on the CPU.
    Conditioning encode_somewhere() {
        const Tensor noise_before = noise_.snapshot();
        const auto encode_with = [&](const ComputePolicy& policy) {
            const EncodeInput input{.files = job_.files,
                                    .request = job_.request,
                                    .policy = policy,
                                    .image = read_input_image(job_.request.image),
                                    .last_image = read_input_image(job_.request.last_image)};
            return job_.family->encode(input, noise_, {recorder_, cancellation_});
        };
        try {
            return encode_with(job_.policy);
        } catch (const Error& error) {
            if (!may_move_to_cpu(error)) throw;
            noise_.restore(noise_before);
            return encode_with(moved_to_cpu(job_.policy, error));
        }
    }

    bool may_move_to_cpu(const Error& error) {
        const bool may = job_.request.guard == GuardMode::heal && can_move_to_cpu(error, job_.policy);
        if (may) recorder_.moved_to_cpu(error);
        return may;
    }

    Tensor denoise_latents(const Conditioning& conditioning) {
        const SamplingInput sampling{.files = job_.files, .request = job_.request, .noise = noise_};
        const auto scheduler = job_.family->make_scheduler(sampling);
        const Guidance guidance =
            within(job_.family->guidance(sampling, conditioning, *scheduler), job_.request.guidance_start.value_or(0),
                   job_.request.guidance_stop.value_or(1), static_cast<int>(scheduler->timesteps().size()));
        const Tensor noise = job_.family->initial_latents(sampling, *scheduler).to(job_.policy.device());
        taps_.on_initial_latents(noise);
        const Tensor denoised =
            has_all_steps(*scheduler) ? denoised_before() : run_steps(*scheduler, conditioning, guidance, noise);
        taps_.on_sampled(*scheduler, guidance);
        const Tensor clean = job_.family->final_latents(job_.request, conditioning, denoised);
        taps_.on_final_latents(clean);
        return clean;
    }

    bool has_all_steps(const Scheduler& scheduler) const {
        return stopped_after_step_ > 0 ||
               (steps_done_ > 0 && steps_done_ >= static_cast<int>(scheduler.timesteps().size()));
    }

    /// Between two steps the latents still hold noise: what the user saw is the prediction without it.
    Tensor denoised_before() const {
        const RunPosition& position = kept_->position;
        return stopped_after_step_ > 0 && position.clean.defined() ? position.clean : position.latents;
    }

    Tensor run_steps(Scheduler& scheduler, const Conditioning& conditioning, const Guidance& guidance,
                     const Tensor& noise) {
        const Stopwatch load_watch;
        auto returning = std::make_optional<FreedBlocksReturn>();
        const auto model = job_.family->load_denoiser(job_.files, job_.policy);
        // What steps give back is soon asked for again: it goes back to the system only where memory is counted.
        if (!job_.request.max_memory_bytes || !job_.policy.device().is_cpu()) returning.reset();
        recorder_.note(float8_.take());
        finish_phase(Phase::load, load_watch);
        const Stopwatch watch;
        const double seconds_before = seconds_by_phase_[to_string(Phase::denoise)];
        const Conditioning there = on_device(conditioning, job_.policy.device());
        const DenoiseParts parts{.model = *model,
                                 .scheduler = scheduler,
                                 .conditioning = there,
                                 .guidance = guidance,
                                 .noise = noise_,
                                 .cache = cache_,
                                 .component = job_.policy.denoiser_name(),
                                 .card = job_.card,
                                 .final_size = {*job_.request.width, *job_.request.height},
                                 .num_frames = *job_.request.num_frames};
        const auto after_step = [&](int steps_done, const Tensor& latents, const Tensor& clean) {
            seconds_by_phase_[to_string(Phase::denoise)] = seconds_before + watch.seconds();
            keep_step(steps_done, latents, clean, scheduler);
        };
        const BlockReuse reuse(returning ? BlockReuse::Surplus::none : BlockReuse::Surplus::half);
        const Tensor denoised =
            denoise(start(scheduler, noise), parts, {recorder_, taps_, emit_, cancellation_, after_step});
        emit_(PhaseProgress{Phase::denoise, 1, 1, seconds_by_phase_[to_string(Phase::denoise)]});
        return denoised;
    }

    /// At the noise, or where the run was left.
    DenoiseStart start(Scheduler& scheduler, const Tensor& noise) {
        if (steps_done_ == 0) return {.step = 0, .latents = noise};
        scheduler.restore(kept_->position.scheduler);
        noise_.restore(kept_->position.noise);
        cache_.restore(kept_->position.cache);
        return {.step = steps_done_,
                .latents = kept_->position.latents,
                .seconds = seconds_by_phase_[to_string(Phase::denoise)]};
    }

    void keep_step(int steps_done, const Tensor& latents, const Tensor& clean, const Scheduler& scheduler) {
        steps_done_ = steps_done;
        model_files_.check();            // before the step is kept
        recorder_.note(float8_.take());  // of blocks and experts that were not there before
        if (job_.keeper == nullptr) return;
        job_.keeper->keep_step(position(latents, clean, scheduler.snapshot()));
        if (wants_pause()) throw paused();
    }

    RunResult decode(const Tensor& latents) {
        const Stopwatch watch;
        try {
            decode_somewhere(latents, watch);
        } catch (const Cancelled&) {
            if (sink_ == nullptr || num_frames_ == 0 || wants_pause()) throw;
            throw StoppedWhileDecoding{sink_->finish()};
        }
        recorder_.note(check_.finish(recorder_.has_open_alarms() ? Evidence::open_alarm : Evidence::none));
        // More may come: an even number of latent frames is decoded to frames that nobody asked for.
        if (num_frames_ < *job_.request.num_frames)
            throw Error(ErrorCode::internal, "the VAE made " + std::to_string(num_frames_) + " frames where " +
                                                 std::to_string(*job_.request.num_frames) + " were asked for");
        finish_phase(Phase::decode, watch);
        return save();
    }

    void decode_somewhere(const Tensor& latents, const Stopwatch& watch) {
        try {
            decode_with(job_.policy, latents, watch);
        } catch (const Error& error) {
            if (!may_move_to_cpu(error)) throw;
            decode_with(moved_to_cpu(job_.policy, error), latents, watch);
        }
    }

    /// From the first chunk on, without those that have been taken already.
    void decode_with(const ComputePolicy& policy, const Tensor& latents, const Stopwatch& watch) {
        const FreedBlocksReturn returning;
        const auto vae = job_.family->load_vae(job_.files, job_.request, policy.at("vae"));
        check_.set_vae_dtype(dtype_name(policy.at("vae").compute));
        num_chunks_ = vae->num_chunks(latents);
        emit_(PhaseStarted{Phase::decode, num_chunks_});
        recorder_.enter({.phase = Phase::decode});
        int to_skip = chunks_done_;
        const BlockReuse reuse(BlockReuse::Surplus::none);
        vae->decode(latents, {recorder_, cancellation_, "vae"}, [&](const Tensor& frames) {
            if (to_skip > 0) {
                --to_skip;
                return;
            }
            take_chunk(frames, watch);
        });
    }

    void take_chunk(const Tensor& frames, const Stopwatch& watch) {
        model_files_.check();
        taps_.on_frames(frames);
        const auto [records, pictures] = check_.add(frames);
        for (const FrameRecord& record : records) recorder_.log().write(frame_record(record));
        if (sink_ != nullptr) {
            for (const FramePtr& picture : pictures) sink_->write(*picture);
        }
        emit_(PreviewReady{.kind = PreviewKind::decoded,
                           .step = 0,
                           .first_frame = num_frames_,
                           .num_frames = *job_.request.num_frames,
                           .frames_each = 1,
                           .final_size = {*job_.request.width, *job_.request.height},
                           .frames = pictures});
        num_frames_ += static_cast<int>(pictures.size());
        emit_(PhaseProgress{Phase::decode, ++chunks_done_, num_chunks_, watch.seconds()});
        if (chunks_done_ < num_chunks_ && wants_pause()) throw paused();
    }

    RunResult save() {
        const Stopwatch watch;
        emit_(PhaseStarted{Phase::save, 1});
        if (job_.keeper != nullptr)
            job_.keeper->on_save(sink_ == nullptr ? std::filesystem::path() : sink_->temporary());
        complete_taps();
        RunResult result{.output = sink_ == nullptr ? std::filesystem::path() : sink_->finish(),
                         .numeric_log = job_.request.output.numeric_log,
                         .status = status(),
                         .stopped_after_step = stopped_after_step_,
                         .num_frames = num_frames_};
        finish_phase(Phase::save, watch);
        result.output_bytes = output_size(result.output);
        return result;
    }

    std::string status() const {
        if (stopped_after_step_ > 0) return "stopped";
        return recorder_.has_healed() ? "healed" : "completed";
    }

    /// What was asked for beside the video must not cost the video.
    void complete_taps() {
        try {
            taps_.on_complete();
        } catch (const Error& error) {
            emit_(LogLine{"warning", error.message() + "; the video is made without it"});
        }
    }

    void finish_phase(Phase phase, const Stopwatch& watch) {
        seconds_by_phase_[to_string(phase)] += watch.seconds();
        emit_(PhaseProgress{phase, 1, 1, watch.seconds()});
    }

    void warn_of_memory(const RunResult& result) {
        const auto allowed = job_.request.max_memory_bytes.value_or(0);
        if (allowed == 0 || result.peak_memory_bytes <= allowed) return;
        emit_(LogLine{"warning", "the run took up to " + format_byte_size(result.peak_memory_bytes) +
                                     " of memory, more than max_memory allows, " + format_byte_size(allowed) +
                                     "; planned were " + format_byte_size(result.planned_memory_bytes)});
    }

    /// Fills in what every end of a run has in common and writes the last record.
    RunResult end_log(RunResult result, const std::string& reason) {
        result.seconds_by_phase = seconds_by_phase_;
        result.peak_memory_bytes = job_.policy.device().is_cuda() ? device_memory_.bytes() : memory_.bytes();
        result.planned_memory_bytes = job_.planned_memory_bytes;
        result.guard_actions = recorder_.guard_actions();
        result.known_overrides = recorder_.known_overrides();
        result.warnings = recorder_.warnings();
        recorder_.log().write(summary_record(result, reason));
        if (!recorder_.log().is_whole()) result.numeric_log.clear();
        return result;
    }

    const VideoJob& job_;
    const PeakMemory memory_;
    Float8Listener float8_;
    const PeakDeviceMemory device_memory_;
    const std::optional<KeptRun> kept_;
    std::unique_ptr<FrameSink> sink_;  // before all that writes: it refuses what must not be overwritten
    const FileWatch model_files_;
    const int stopped_after_step_;  ///< of a run that makes no further step; 0: it makes every step
    PreviewFolder previews_;
    EventSink emit_;
    const CancellationToken& cancellation_;
    RunTaps& taps_;
    NoiseSource noise_;
    PredictionCache cache_;
    NumericsRecorder recorder_;
    FrameCheck check_;
    std::map<std::string, double> seconds_by_phase_;
    int steps_done_ = 0;
    int num_frames_ = 0;
    int num_chunks_ = 0;
    int chunks_done_ = 0;
};

}  // namespace

RunResult run_video(const VideoJob& job, const EventSink& emit, const CancellationToken& cancellation, RunTaps& taps) {
    return Run(job, emit, cancellation, taps).execute();
}

}  // namespace kinescope
