#pragma once

#include <functional>

#include "core/api/model_card.h"
#include "core/api/run_event.h"
#include "core/device/rng.h"
#include "core/models/guidance.h"
#include "core/numerics/run_numerics.h"
#include "core/pipeline/prediction_cache.h"
#include "core/pipeline/step_preview.h"
#include "core/pipeline/tensor_observer.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

/// The model, scheduler and inputs of the loop. The referenced objects must outlive the loop.
struct DenoiseParts {
    DiffusionModel& model;
    Scheduler& scheduler;
    const Conditioning& conditioning;
    const Guidance& guidance;
    NoiseSource& noise;
    PredictionCache& cache;
    GuidanceState& guidance_state;
    std::string component = "transformer";  ///< the denoiser's name
    /// Returns the part of the latents that becomes the video, for the preview.
    std::function<Tensor(const Tensor& latents)> shown;
    const ModelCard& card;
    Size final_size;
    int num_frames = 0;
};

/// The start of the loop: the initial noise, or the state after the steps of an interrupted run. Scheduler, noise
/// source, cache and guidance must have the state of that step.
struct DenoiseStart {
    int step = 0;
    Tensor latents;      ///< float32 [1, C, F, H, W]
    double seconds = 0;  ///< duration of the finished steps
};

struct DenoiseServices {
    RunNumerics& numerics;
    TensorObserver& observer;
    const EventSink& emit;
    const CancellationToken& cancellation;
    /// Called after each step. `steps_done` is the number of finished steps, and `clean` is the step's prediction of
    /// the final latents. May throw to stop the loop.
    std::function<void(int steps_done, const Tensor& latents, const Tensor& clean)> after_step;
    /// Makes the preview of a step from its prediction of the final latents; empty: projected latents.
    std::function<std::optional<StepPreview>(const Tensor& clean, double step_seconds)> preview = {};
};

/// Runs the steps and returns the final latents. Accepts a step only if all its values are finite, see StepGuard.
/// Throws Cancelled, NumericError.
Tensor denoise(DenoiseStart start, const DenoiseParts& parts, const DenoiseServices& services);

}  // namespace kinescope
