#include "core/pipeline/video_pipeline.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/api/version.h"
#include "core/base/peak_memory.h"
#include "core/base/stopwatch.h"
#include "core/device/device_memory.h"
#include "core/device/rng.h"
#include "core/media/frame_sink.h"
#include "core/media/image_io.h"
#include "core/pipeline/denoise_loop.h"
#include "core/pipeline/embedding_check.h"
#include "core/pipeline/fallback.h"
#include "core/pipeline/frame_check.h"
#include "core/pipeline/input_image.h"
#include "core/pipeline/latent_preview.h"
#include "core/pipeline/log_header.h"
#include "core/pipeline/numerics_recorder.h"

namespace kinescope {

namespace {

/// The files beside the video must not be overwritten silently either.
void refuse_existing(const OutputRequest& output) {
    if (output.overwrite == OverwriteMode::overwrite) return;
    for (const auto* file : {&output.numeric_log, &output.numeric_csv, &output.latents, &output.frames}) {
        std::error_code ignored;
        if (!file->empty() && std::filesystem::is_regular_file(*file, ignored))
            throw Error(ErrorCode::output_exists, file->string() + " exists already",
                        "Choose another name, or allow it to be replaced (--overwrite).", {{"path", file->string()}});
    }
}

/// The first words of a prompt, cut between characters.
std::string title_of(const std::string& prompt) {
    constexpr std::size_t kLongest = 80;  // bytes
    const auto continues_character = [&](std::size_t i) {
        return i < prompt.size() && (static_cast<unsigned char>(prompt[i]) & 0xC0) == 0x80;
    };
    std::size_t end = std::min(prompt.size(), kLongest);
    while (end > 0 && continues_character(end)) --end;
    return prompt.substr(0, end);
}

std::unique_ptr<FrameSink> open_sink(const VideoJob& job) {
    refuse_existing(job.request.output);
    if (job.request.output.file.empty()) return nullptr;
    return open_frame_sink({.output = job.request.output,
                            .width = *job.request.width,
                            .height = *job.request.height,
                            .fps = *job.request.fps,
                            .metadata = {{"title", title_of(job.request.prompt)}, {"comment", describe_run(job)}}});
}

/// Keeps each phase's pictures as PNG files where the request asks for it.
class PreviewFolder {
public:
    explicit PreviewFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
        if (!folder_.empty()) std::filesystem::create_directories(folder_);
    }
    void keep(const RunEvent& event) const {
        const auto* preview = std::get_if<PreviewReady>(&event);
        if (folder_.empty() || preview == nullptr) return;
        const std::string kind = preview->kind == PreviewKind::latent ? "step" + number(preview->step) : "decoded";
        for (std::size_t i = 0; i < preview->frames.size(); ++i) {
            write_png(folder_ / (kind + "_frame" + number(preview->first_frame + static_cast<int>(i)) + ".png"),
                      *preview->frames[i]);
        }
    }

private:
    static std::string number(int value) {
        std::string text = std::to_string(value);
        return std::string(text.size() < 4 ? 4 - text.size() : 0, '0') + text;
    }
    std::filesystem::path folder_;
};

RecorderSetup recorder_setup(const VideoJob& job) {
    return {.guard = job.request.guard,
            .monitoring = job.monitoring,
            .kernels = job.policy.device().is_cpu() ? Kernels::repeatable : Kernels::varying,
            .half_accumulation = job.request.half_accumulation,
            .device = job.policy.device().str(),
            .libraries = job.libraries,
            .numeric_log = job.request.output.numeric_log,
            .numeric_csv = job.request.output.numeric_csv};
}

class Run {
public:
    Run(const VideoJob& job, const EventSink& emit, const CancellationToken& cancellation, RunTaps& taps)
        : job_(job),
          device_memory_(job.policy.device()),
          sink_(open_sink(job)),
          previews_(job.request.output.preview_dir),
          emit_([this, &emit](const RunEvent& event) {
              previews_.keep(event);
              emit(event);
          }),
          cancellation_(cancellation),
          taps_(taps),
          noise_(*job.request.seed),
          recorder_(recorder_setup(job), emit_) {}

    RunResult execute() {
        const Stopwatch watch;
        begin();
        RunResult result;
        try {
            result = decode(denoise_latents(encode()));
        } catch (const Cancelled&) {
            close_failed_log({.status = "cancelled"}, "stopped by the user");
            throw;
        } catch (const StoppedWhileDecoding& stopped) {
            close_failed_log({.output = stopped.output, .status = "cancelled"}, "stopped by the user while decoding");
            throw;
        } catch (const Error& error) {
            if (const auto record = stop_record(error, job_.files)) recorder_.write_down(*record);
            close_failed_log({.status = "failed"}, error.what());
            throw;
        } catch (const std::exception& error) {
            close_failed_log({.status = "failed"}, error.what());
            throw;
        }
        const auto raised = recorder_.overrides().list();
        if (job_.memory != nullptr && !raised.empty()) job_.memory->keep(raised);
        result.seconds = watch.seconds();
        close_log(result, "");
        return result;
    }

private:
    void begin() {
        recorder_.log().write(header_record(log_header(job_)));
        emit_(RunStarted{.request = job_.request, .card = job_.card, .policy = job_.policy_summary});
        emit_(PhaseStarted{Phase::load, 1});
        if (job_.memory != nullptr) recorder_.apply_learned(job_.memory->recall());
    }

    Conditioning encode() {
        const Stopwatch watch;
        emit_(PhaseStarted{Phase::encode, 1});
        recorder_.enter({.phase = Phase::encode});
        Conditioning conditioning = encode_somewhere();
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
        const Stopwatch load_watch;
        const auto model = job_.family->load_denoiser(job_.files, job_.policy);
        finish_phase(Phase::load, load_watch);
        const Stopwatch watch;
        const SamplingInput sampling{.files = job_.files, .request = job_.request, .noise = noise_};
        const auto scheduler = job_.family->make_scheduler(sampling);
        const Guidance guidance = job_.family->guidance(sampling, conditioning, *scheduler);
        const Tensor latents = job_.family->initial_latents(sampling, *scheduler).to(job_.policy.device());
        taps_.on_initial_latents(latents);
        const DenoiseParts parts{.model = *model,
                                 .scheduler = *scheduler,
                                 .conditioning = conditioning,
                                 .guidance = guidance,
                                 .noise = noise_,
                                 .component = job_.policy.denoiser_name(),
                                 .card = job_.card,
                                 .final_size = {*job_.request.width, *job_.request.height},
                                 .num_frames = *job_.request.num_frames};
        const Tensor denoised = denoise(latents, parts, {recorder_, taps_, emit_, cancellation_});
        taps_.on_sampled(*scheduler, guidance);
        const Tensor clean = job_.family->final_latents(job_.request, conditioning, denoised);
        taps_.on_final_latents(clean);
        finish_phase(Phase::denoise, watch);
        return clean;
    }

    RunResult decode(const Tensor& latents) {
        const Stopwatch watch;
        try {
            decode_somewhere(latents, watch);
        } catch (const Cancelled&) {
            if (sink_ == nullptr || num_frames_ == 0) throw;
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
        const auto vae = job_.family->load_vae(job_.files, job_.request, policy.at("vae"));
        num_chunks_ = vae->num_chunks(latents);
        emit_(PhaseStarted{Phase::decode, num_chunks_});
        recorder_.enter({.phase = Phase::decode});
        int to_skip = chunks_done_;
        vae->decode(latents, {recorder_, cancellation_, "vae"}, [&](const Tensor& frames) {
            if (to_skip > 0) {
                --to_skip;
                return;
            }
            take_chunk(frames, watch);
        });
    }

    void take_chunk(const Tensor& frames, const Stopwatch& watch) {
        taps_.on_frames(frames);
        for (const FrameRecord& record : check_.add(frames)) recorder_.log().write(frame_record(record));
        const std::vector<FramePtr> pictures = to_frames(frames);
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
    }

    RunResult save() {
        const Stopwatch watch;
        emit_(PhaseStarted{Phase::save, 1});
        taps_.on_complete();
        RunResult result{.output = sink_ == nullptr ? std::filesystem::path() : sink_->finish(),
                         .numeric_log = job_.request.output.numeric_log,
                         .status = recorder_.has_healed() ? "healed" : "completed",
                         .num_frames = num_frames_};
        finish_phase(Phase::save, watch);
        std::error_code ignored;
        if (std::filesystem::is_regular_file(result.output, ignored)) {
            result.output_bytes = static_cast<std::int64_t>(std::filesystem::file_size(result.output, ignored));
        }
        return result;
    }

    void finish_phase(Phase phase, const Stopwatch& watch) {
        seconds_by_phase_[to_string(phase)] += watch.seconds();
        emit_(PhaseProgress{phase, 1, 1, watch.seconds()});
    }

    /// As close_log, for a run that ends with an error of its own: one of the log's must not take its place.
    void close_failed_log(RunResult result, const std::string& reason) {
        try {
            close_log(result, reason);
        } catch (const Error& error) {
            emit_(LogLine{"warning", error.message()});
        }
    }
    /// Fills in what every end of a run has in common and writes the last record.
    void close_log(RunResult& result, const std::string& reason) {
        result.seconds_by_phase = seconds_by_phase_;
        result.peak_memory_bytes = job_.policy.device().is_cuda() ? device_memory_.bytes() : memory_.bytes();
        result.guard_actions = recorder_.guard_actions();
        recorder_.log().write(summary_record(result, reason));
    }

    const VideoJob& job_;
    const PeakMemory memory_;
    const PeakDeviceMemory device_memory_;
    std::unique_ptr<FrameSink> sink_;  // before all that writes: it refuses what must not be overwritten
    PreviewFolder previews_;
    EventSink emit_;
    const CancellationToken& cancellation_;
    RunTaps& taps_;
    NoiseSource noise_;
    NumericsRecorder recorder_;
    FrameCheck check_;
    std::map<std::string, double> seconds_by_phase_;
    int num_frames_ = 0;
    int num_chunks_ = 0;
    int chunks_done_ = 0;
};

}  // namespace

RunResult run_video(const VideoJob& job, const EventSink& emit, const CancellationToken& cancellation, RunTaps& taps) {
    return Run(job, emit, cancellation, taps).execute();
}

std::string describe_run(const VideoJob& job) {
    Json policy = Json::array();
    for (const auto& row : job.policy_summary) {
        policy.push_back({{"component", row.component},
                          {"compute", row.compute},
                          {"storage", row.storage},
                          {"device", row.device},
                          {"reason", row.reason}});
    }
    const Json description = {
        {"kinescope", kVersion},
        {"request", Json::parse(to_json(job.request))},
        {"policy", policy},
        {"libraries", job.libraries},
        {"model", {{"family", job.card.family}, {"variant", job.card.variant}, {"name", job.card.name}}}};
    // A folder's name need not be UTF-8.
    return description.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace kinescope
