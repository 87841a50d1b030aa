#include "core/pipeline/denoise_phase.h"

#include <ATen/ATen.h>

#include <optional>

#include "core/device/block_reuse.h"
#include "core/device/device_memory.h"
#include "core/pipeline/denoise_loop.h"
#include "core/pipeline/varied_noise.h"

namespace kinescope {

namespace {

/// Returns the conditioning with the tensors that every step reads on a device.
Conditioning on_device(Conditioning conditioning, const Device& device) {
    for (Tensor* tensor : {&conditioning.prompt_embeds, &conditioning.negative_prompt_embeds,
                           &conditioning.prompt_embeds_2, &conditioning.negative_prompt_embeds_2,
                           &conditioning.image_embeds, &conditioning.condition, &conditioning.video_latents})
        if (tensor->defined()) *tensor = tensor->to(device);
    return conditioning;
}

class DenoisePhase {
public:
    DenoisePhase(const PhaseServices& services, const DenoiseOptions& options)
        : services_(services), job_(services.job), options_(options), previewer_(services) {}

    Tensor run(const Conditioning& conditioning) {
        const SamplingInput sampling{
            .files = services_.files, .request = job_.request, .noise = services_.noise, .conditioning = conditioning};
        const auto scheduler = job_.family->make_scheduler(sampling);
        const Guidance guidance = guidance_of(sampling, conditioning, *scheduler);
        const Tensor noise = initial_latents(sampling, *scheduler).to(job_.policy.device());
        services_.observer.on_initial_latents(noise);
        const Tensor denoised =
            has_all_steps(*scheduler) ? kept_latents() : run_steps(*scheduler, conditioning, guidance, noise);
        services_.observer.on_sampled(*scheduler, guidance);
        const Tensor final = job_.family->final_latents(job_.request, conditioning, denoised);
        services_.observer.on_final_latents(final);
        return final;
    }

private:
    Guidance guidance_of(const SamplingInput& input, const Conditioning& conditioning,
                         const Scheduler& scheduler) const {
        const ResolvedSampling& sampling = job_.request.sampling;
        const int num_steps = static_cast<int>(scheduler.timesteps().size());
        const Guidance guidance = within(job_.family->guidance(input, conditioning, scheduler), sampling.guidance_start,
                                         sampling.guidance_stop, num_steps);
        return with_method(guidance, sampling, num_steps);
    }

    /// Returns the noise of the seed, or noise between that of the varied seed and that of the seed. Models that offer
    /// variations draw no noise before.
    Tensor initial_latents(const SamplingInput& input, const Scheduler& scheduler) const {
        const Tensor noise = job_.family->initial_latents(input, scheduler);
        const ResolvedSampling& sampling = job_.request.sampling;
        if (!sampling.variation_of) return noise;
        ResolvedRequest varied = job_.request;
        varied.sampling.seed = *sampling.variation_of;
        NoiseSource source(*sampling.variation_of);
        const SamplingInput other{
            .files = input.files, .request = varied, .noise = source, .conditioning = input.conditioning};
        return slerp(job_.family->initial_latents(other, scheduler), noise, sampling.variation_strength);
    }

    int steps_done() const { return options_.kept == nullptr ? 0 : options_.kept->step; }

    bool has_all_steps(const Scheduler& scheduler) const {
        const int num_steps = static_cast<int>(scheduler.timesteps().size());
        return options_.last_step > 0 || (steps_done() > 0 && steps_done() >= num_steps);
    }

    /// Returns the latents of a run that ends early. Before the last step, the latents still contain noise, so this is
    /// the last step's prediction without noise, as the preview showed it.
    Tensor kept_latents() const {
        const RunPosition& position = *options_.kept;
        return options_.last_step > 0 && position.clean.defined() ? position.clean : position.latents;
    }

    double& seconds() { return services_.seconds_by_phase[to_string(Phase::denoise)]; }

    /// A state between two steps, from which later steps can be repeated.
    struct Point {
        DenoiseStart start;
        SchedulerState scheduler;
        Tensor noise;
        PredictionCacheState cache;
        GuidanceState guidance;
    };

    /// The inputs that all attempts share.
    struct Inputs {
        Scheduler& scheduler;
        const Conditioning& conditioning;
        const Guidance& guidance;
    };

    Tensor run_steps(Scheduler& scheduler, const Conditioning& conditioning, const Guidance& guidance,
                     const Tensor& noise) {
        point_ = first_point(scheduler, noise);
        const Tensor denoised = with_memory_relief(services_, Phase::denoise, [&](const PhaseSetup& setup) {
            return attempt(setup.policy, {.scheduler = scheduler, .conditioning = conditioning, .guidance = guidance});
        });
        services_.emit(PhaseProgress{Phase::denoise, 1, 1, seconds()});
        return denoised;
    }

    /// Loads the model and runs the steps after the last finished one.
    Tensor attempt(const ComputePolicy& policy, const Inputs& inputs) {
        const Stopwatch load_watch;
        auto returning = std::make_optional<FreedBlocksReturn>();
        const auto model = job_.family->load_denoiser(services_.files, policy);
        // Each step reuses the memory that the previous step has freed. Freed memory returns to the system only if the
        // request limits the memory.
        if (job_.request.compute.max_memory_bytes == 0 || !policy.device().is_cpu()) returning.reset();
        services_.note_float8();
        services_.finish_phase(Phase::load, load_watch.seconds());
        const Conditioning placed = on_device(inputs.conditioning, policy.device());
        const Conditioning on_host = on_device(inputs.conditioning, at::kCPU);  // for the previews of all steps
        const DenoiseParts parts{
            .model = *model,
            .scheduler = inputs.scheduler,
            .conditioning = placed,
            .guidance = inputs.guidance,
            .noise = services_.noise,
            .cache = options_.cache,
            .guidance_state = options_.guidance,
            .component = policy.denoiser_name(),
            .shown = [&](const Tensor& latents) { return job_.family->final_latents(job_.request, on_host, latents); },
            .card = job_.card,
            .final_size = {job_.request.content.width, job_.request.content.height},
            .num_frames = job_.request.content.num_frames};
        const BlockReuse reuse(returning ? BlockReuse::Surplus::none : BlockReuse::Surplus::half);
        return run_loop(parts);
    }

    Tensor run_loop(const DenoiseParts& parts) {
        restore(parts.scheduler);
        const Stopwatch watch;
        const double seconds_before = seconds();
        const auto after_step = [&](int done, const Tensor& latents, const Tensor& clean) {
            seconds() = seconds_before + watch.seconds();
            point_ = {.start = {.step = done, .latents = latents, .seconds = seconds()},
                      .scheduler = parts.scheduler.snapshot(),
                      .noise = services_.noise.snapshot(),
                      .cache = options_.cache.snapshot(),
                      .guidance = options_.guidance};
            options_.after_step(done, latents, clean, parts.scheduler);
        };
        const auto preview = [this](const Tensor& clean, double seconds) { return previewer_.make(clean, seconds); };
        return denoise(
            point_.start, parts,
            {services_.numerics, services_.observer, services_.emit, services_.cancellation, after_step, preview});
    }

    Point first_point(const Scheduler& scheduler, const Tensor& noise) {
        if (steps_done() == 0)
            return {.start = {.step = 0, .latents = noise},
                    .scheduler = scheduler.snapshot(),
                    .noise = services_.noise.snapshot(),
                    .cache = options_.cache.snapshot(),
                    .guidance = {}};
        const RunPosition& kept = *options_.kept;
        return {.start = {.step = kept.step, .latents = kept.latents, .seconds = seconds()},
                .scheduler = kept.scheduler,
                .noise = kept.noise,
                .cache = kept.cache,
                .guidance = kept.guidance};
    }

    void restore(Scheduler& scheduler) {
        scheduler.restore(point_.scheduler);
        services_.noise.restore(point_.noise);
        options_.cache.restore(point_.cache);
        options_.guidance = point_.guidance;
    }

    const PhaseServices& services_;
    const PreparedRun& job_;
    const DenoiseOptions& options_;
    StepPreviewer previewer_;
    Point point_;  ///< after the last completed step
};

}  // namespace

Tensor denoise_latents(const PhaseServices& services, const DenoiseOptions& options, const Conditioning& conditioning) {
    return DenoisePhase(services, options).run(conditioning);
}

}  // namespace kinescope
