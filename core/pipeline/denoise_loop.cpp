#include "core/pipeline/denoise_loop.h"

#include <ATen/ATen.h>

#include "core/base/stopwatch.h"
#include "core/numerics/tensor_stats.h"
#include "core/pipeline/latent_preview.h"

namespace kinescope {

namespace {

constexpr int kHistogramBins = 32;
constexpr double kHistogramReach = 4.0;

class Loop {
public:
    Loop(const DenoiseParts& parts, const DenoiseServices& services) : parts_(parts), services_(services) {}

    Tensor run(Tensor latents) {
        const int num_steps = static_cast<int>(parts_.scheduler.timesteps().size());
        services_.emit(PhaseStarted{Phase::denoise, num_steps});
        const Stopwatch phase;
        for (int step = 0; step < num_steps; ++step) {
            const Stopwatch watch;
            const Tensor noise_pred = predict(step, latents);
            const Tensor next = parts_.scheduler.step(step, noise_pred, latents);
            observe_update(step, noise_pred, next);
            services_.recorder.settle();
            report(step, num_steps, noise_pred, latents, next, watch.seconds());
            services_.emit(PhaseProgress{Phase::denoise, step + 1, num_steps, phase.seconds()});
            latents = next;
        }
        return latents;
    }

private:
    MonitorScope scope(int step, std::string branch) const {
        return {.phase = Phase::denoise,
                .step = step,
                .attempt = 0,
                .branch = std::move(branch),
                .component = "transformer"};
    }

    Tensor predict(int step, const Tensor& latents) {
        const ForwardContext context{services_.recorder.monitor(), services_.cancellation};
        std::vector<Tensor> predictions;
        for (const GuidanceBranch& branch : parts_.guider.branches()) {
            services_.cancellation.throw_if_requested();
            services_.recorder.enter(scope(step, branch.name));
            predictions.push_back(parts_.model.predict({.latents = latents,
                                                        .timestep = parts_.scheduler.timesteps()[step],
                                                        .prompt_embeds = branch.prompt_embeds},
                                                       context));
        }
        return parts_.guider.combine(predictions);
    }

    void observe_update(int step, const Tensor& noise_pred, const Tensor& latents) {
        services_.recorder.enter(scope(step, ""));
        services_.recorder.monitor().observe("noise_pred", noise_pred);
        services_.recorder.monitor().observe("latents", latents);
        services_.taps.on_noise_pred(step, noise_pred);
        services_.taps.on_latents(step, latents);
    }

    void report(int step, int num_steps, const Tensor& noise_pred, const Tensor& before, const Tensor& after,
                double seconds) {
        const double sigma = parts_.scheduler.sigmas()[step];
        const StepCompleted completed{
            .step = step,
            .num_steps = num_steps,
            .timestep = parts_.scheduler.timesteps()[step],
            .sigma = sigma,
            .seconds = seconds,
            .latents = compute_stats(after),
            .noise_pred = compute_stats(noise_pred),
            .latents_histogram = histogram(after, kHistogramBins, -kHistogramReach, kHistogramReach),
            .histogram_min = -kHistogramReach,
            .histogram_max = kHistogramReach};
        services_.recorder.log().write(step_record(completed));
        services_.emit(completed);
        services_.emit(preview(step, predicted_clean_latents(before, noise_pred, sigma)));
    }

    PreviewReady preview(int step, const Tensor& clean) const {
        const auto num_latent_frames = static_cast<int>(clean.size(2));
        return {.kind = PreviewKind::latent,
                .step = step,
                .first_frame = 0,
                .num_frames = parts_.num_frames,
                .frames_each = std::max(1, (parts_.num_frames + num_latent_frames - 1) / num_latent_frames),
                .final_size = parts_.final_size,
                .frames = latent_preview(clean, parts_.card)};
    }

    const DenoiseParts& parts_;
    const DenoiseServices& services_;
};

}  // namespace

Tensor denoise(Tensor latents, const DenoiseParts& parts, const DenoiseServices& services) {
    return Loop(parts, services).run(std::move(latents));
}

}  // namespace kinescope
