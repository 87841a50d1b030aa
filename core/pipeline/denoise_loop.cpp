#include "core/pipeline/denoise_loop.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/stopwatch.h"
#include "core/device/device_clock.h"
#include "core/device/host_copy.h"
#include "core/numerics/tensor_stats.h"
#include "core/pipeline/latent_preview.h"

namespace kinescope {

namespace {

constexpr int kHistogramBins = 32;
constexpr double kHistogramReach = 4.0;

bool has_two_prompts(const DenoiseParts& parts) {
    if (parts.guidance.branches.size() != 2) return false;
    const Tensor& one = parts.conditioning.prompt(parts.guidance.branches[0]);
    const Tensor& other = parts.conditioning.prompt(parts.guidance.branches[1]);
    return one.defined() && other.defined() && !(one.sizes() == other.sizes() && at::equal(one, other));
}

/// Returns |a - b| / |b| as a tensor with a single value, on the device of `a` and `b`.
Tensor relative_difference(const Tensor& a, const Tensor& b) {
    return at::linalg_vector_norm(a - b) / at::linalg_vector_norm(b).clamp_min(1e-30);
}

/// Returns the indices of the latent frames that no condition holds. Undefined without the detail "held_frames": the
/// strength with which each latent frame is held.
Tensor free_frames(const Conditioning& conditioning) {
    const auto held = conditioning.details.find("held_frames");
    return held == conditioning.details.end() ? Tensor() : held->second.flatten().eq(0).nonzero().flatten();
}

class Loop {
public:
    Loop(const DenoiseParts& parts, const DenoiseServices& services)
        : parts_(parts),
          services_(services),
          has_two_prompts_(has_two_prompts(parts)),
          free_frames_(free_frames(parts.conditioning)) {}

    Tensor run(DenoiseStart start) {
        const int num_steps = static_cast<int>(parts_.scheduler.timesteps().size());
        services_.emit(PhaseStarted{Phase::denoise, num_steps});
        if (start.step > 0) services_.emit(PhaseProgress{Phase::denoise, start.step, num_steps, start.seconds});
        const Stopwatch phase;
        Tensor latents = std::move(start.latents);
        for (int step = start.step; step < num_steps; ++step) {
            const DeviceMoment begin = DeviceMoment::now(latents.device());
            const StepResult result = run_step(step, latents);
            // The copies wait for the device first, so that the time of the step is known.
            const std::vector<Tensor>& host = result.host.wait();
            report(step, host, result.source, result.end->seconds_since(begin));
            services_.emit(PhaseProgress{Phase::denoise, step + 1, num_steps, start.seconds + phase.seconds()});
            latents = result.latents;
            services_.after_step(step + 1, latents, result.clean);
        }
        return latents;
    }

private:
    struct StepResult {
        Tensor noise_pred;
        Tensor latents;
        PredictionSource source = PredictionSource::computed;
        Tensor clean = {};                     ///< the prediction of the final latents
        std::optional<DeviceMoment> end = {};  ///< when the latents are complete
        HostCopies host = {};                  ///< of latents, noise_pred and clean
    };

    /// Runs a step as one transaction: every attempt starts from the same state of scheduler, noise, cache and
    /// guidance, and the same latents.
    StepResult run_step(int step, const Tensor& latents) {
        const SchedulerState scheduler_before = parts_.scheduler.snapshot();
        const Tensor noise_before = parts_.noise.snapshot();
        const PredictionCacheState cache_before = parts_.cache.snapshot();
        const GuidanceState guidance_before = parts_.guidance_state;
        StepResult result;
        services_.numerics.probe().enter({.step = step});
        services_.numerics.guard().transact([&] {
            parts_.scheduler.restore(scheduler_before);
            parts_.noise.restore(noise_before);
            parts_.cache.restore(cache_before);
            parts_.guidance_state = guidance_before;
            result = predict(step, latents);
            result.latents = parts_.scheduler.step(step, result.noise_pred, latents);
            observe_update(step, latents, result);
            result.clean = parts_.scheduler.pred_original_sample(step, result.noise_pred, latents);
            result.end = DeviceMoment::now(latents.device());
            // The copies start before the guard waits for its statistics, so that a step waits only once.
            result.host = HostCopies({result.latents, result.noise_pred, result.clean});
            if (!latents.is_cuda()) result.end = DeviceMoment::now(latents.device());  // the copies have waited
        });
        services_.observer.on_watched(step, services_.numerics.take_seconds());
        services_.observer.on_noise_pred(step, result.noise_pred);
        services_.observer.on_latents(step, result.latents);
        return result;
    }

    /// Computes the prediction of a step, or reuses a cached one. The latents of the result are undefined.
    StepResult predict(int step, const Tensor& latents) {
        if (parts_.guidance.is_zero(step)) return {at::zeros_like(latents), {}, PredictionSource::computed};
        const Tensor model_input = parts_.scheduler.scale_model_input(step, latents);
        const auto branches = parts_.guidance.branches_at(step);
        const CachedStep cached{.latents = model_input,
                                .expert = parts_.model.expert(parts_.scheduler.timesteps()[step]),
                                .branches = branches,
                                .has_nag = parts_.guidance.nag_at(step).has_value()};
        if (const auto reused = parts_.cache.reuse(cached))
            return {combine(step, *reused), {}, PredictionSource::reused};
        const std::vector<Tensor> predictions = evaluate_model(step, branches, model_input);
        parts_.cache.keep(cached, predictions);
        return {combine(step, predictions), {}, PredictionSource::computed};
    }

    Tensor combine(int step, const std::vector<Tensor>& predictions) {
        return parts_.guidance.combine(step, predictions, parts_.guidance_state);
    }

    std::vector<Tensor> evaluate_model(int step, std::span<const Branch> branches, const Tensor& model_input) {
        std::vector<Tensor> predictions;
        for (const Branch branch : branches) {
            services_.cancellation.throw_if_requested();
            services_.numerics.probe().enter({.step = step, .branch = to_string(branch)});
            predictions.push_back(parts_.model.predict({.latents = model_input,
                                                        .timestep = parts_.scheduler.timesteps()[step],
                                                        .branch = branch,
                                                        .conditioning = parts_.conditioning,
                                                        .skipped_blocks = skipped_blocks(branch),
                                                        .nag = parts_.guidance.nag_at(step)},
                                                       context()));
        }
        services_.numerics.probe().enter({.step = step});
        if (has_two_prompts_ && branches.size() > 1 && branches[1] == Branch::uncond)
            context().observe("guidance", relative_difference(predictions[0], predictions[1]), SiteKind::guidance);
        return predictions;
    }

    std::span<const int> skipped_blocks(Branch branch) const {
        if (branch != Branch::skip) return {};
        return parts_.guidance.settings.skipped_blocks;
    }

    /// A step with a zero prediction is meant to leave the latents unchanged.
    void observe_update(int step, const Tensor& before, const StepResult& result) {
        const ForwardContext watched = context();
        if (parts_.guidance.is_zero(step)) return watched.observe("latents", result.latents, SiteKind::latents);
        watched.observe("noise_pred", result.noise_pred, SiteKind::prediction);
        watched.observe("latents", result.latents, SiteKind::latents);
        watched.observe("latents.spread", at::std(result.latents) / expected_deviation(step + 1),
                        SiteKind::latents_spread);
        observe_unchanged(before, result.latents, watched);
    }

    /// Frames that a condition holds are meant to stay.
    void observe_unchanged(const Tensor& before, const Tensor& after, const ForwardContext& watched) {
        auto equal = after.eq(before);
        if (free_frames_.defined()) equal = equal.index_select(2, sent_to(free_frames_, equal.device()));
        if (equal.numel() == 0) return;
        watched.observe("latents.unchanged", at::mean(equal, at::kFloat), SiteKind::latents_unchanged);
    }

    /// Returns the expected spread of the latents: 1, or the noise level if it is larger than 1.
    double expected_deviation(int step) const {
        return std::max(1.0, double{parts_.scheduler.sigmas()[static_cast<std::size_t>(step)]});
    }

    ForwardContext context() const { return services_.numerics.context(services_.cancellation, parts_.component); }

    /// `host` contains the latents, the prediction and the clean latents after the step.
    void report(int step, const std::vector<Tensor>& host, PredictionSource source, double seconds) {
        const double sigma = parts_.scheduler.sigmas()[step];
        const auto preview = preview_of(parts_.shown(host[2]), seconds);
        const StepCompleted completed{
            .step = step,
            .num_steps = static_cast<int>(parts_.scheduler.timesteps().size()),
            .timestep = parts_.scheduler.timesteps()[step],
            .sigma = sigma,
            .seconds = seconds,
            .latents = compute_stats(host[0]),
            .noise_pred = compute_stats(host[1]),
            .latents_histogram = histogram(host[0], kHistogramBins, -kHistogramReach, kHistogramReach),
            .histogram_min = -kHistogramReach,
            .histogram_max = kHistogramReach,
            .prediction = source,
            .preview_decoder = preview ? preview->decoder : "",
            .preview_seconds = preview ? preview->seconds : 0};
        services_.numerics.journal().log().write(step_record(completed));
        services_.emit(completed);
        if (preview) services_.emit(preview_event(step, *preview));
    }

    std::optional<StepPreview> preview_of(const Tensor& clean, double step_seconds) const {
        if (services_.preview) return services_.preview(clean, step_seconds);
        return StepPreview{.frames = latent_preview(clean, parts_.card)};
    }

    PreviewReady preview_event(int step, const StepPreview& preview) const {
        const auto num_latent_frames = std::max(1, static_cast<int>(preview.frames.size()));
        return {.kind = PreviewKind::latent,
                .step = step,
                .first_frame = 0,
                .num_frames = parts_.num_frames,
                .frames_each = std::max(1, (parts_.num_frames + num_latent_frames - 1) / num_latent_frames),
                .final_size = parts_.final_size,
                .frames = preview.frames,
                .decoder = preview.decoder};
    }

    const DenoiseParts& parts_;
    const DenoiseServices& services_;
    const bool has_two_prompts_;  ///< different prompts, for which the two branches of guidance must differ
    const Tensor free_frames_;    ///< int64 [n], see free_frames(); undefined: all
};

}  // namespace

Tensor denoise(DenoiseStart start, const DenoiseParts& parts, const DenoiseServices& services) {
    return Loop(parts, services).run(std::move(start));
}

}  // namespace kinescope
