#pragma once

#include <functional>

#include "core/api/model_card.h"
#include "core/device/rng.h"
#include "core/models/guidance.h"
#include "core/pipeline/numerics_recorder.h"
#include "core/pipeline/prediction_cache.h"
#include "core/pipeline/run_events.h"
#include "core/pipeline/run_taps.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

/// What the loop works with; everything outlives it.
struct DenoiseParts {
    DiffusionModel& model;
    Scheduler& scheduler;
    const Conditioning& conditioning;
    const Guidance& guidance;
    NoiseSource& noise;
    PredictionCache& cache;
    std::string component = "transformer";  ///< the denoiser's name
    const ModelCard& card;
    Size final_size;
    int num_frames = 0;
};

/// Where the loop begins: at the noise, or after the steps that an earlier process did. Scheduler, noise source and
/// cache are there already.
struct DenoiseStart {
    int step = 0;
    Tensor latents;      ///< float32 [1, C, F, H, W]
    double seconds = 0;  ///< that the earlier steps took
};

struct DenoiseServices {
    NumericsRecorder& recorder;
    RunTaps& taps;
    const EventSink& emit;
    const CancellationToken& cancellation;
    /// Told after each step how many are done, what came out, and the step's prediction of the final latents; may throw
    /// to stop there.
    std::function<void(int steps_done, const Tensor& latents, const Tensor& clean)> after_step;
};

/// Runs the steps and returns the clean latents. A step's result is taken over only after its statistics were found
/// finite. Throws Cancelled, Error(not_finite).
Tensor denoise(DenoiseStart start, const DenoiseParts& parts, const DenoiseServices& services);

}  // namespace kinescope
