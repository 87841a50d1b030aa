#pragma once

#include "core/api/model_card.h"
#include "core/device/rng.h"
#include "core/models/guidance.h"
#include "core/pipeline/numerics_recorder.h"
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
    std::string component = "transformer";  ///< the denoiser's name
    const ModelCard& card;
    Size final_size;
    int num_frames = 0;
};

struct DenoiseServices {
    NumericsRecorder& recorder;
    RunTaps& taps;
    const EventSink& emit;
    const CancellationToken& cancellation;
};

/// Runs every step from `latents` (float32 [1, C, F, H, W]) and returns the clean ones. A step's result is taken over
/// only after its statistics were found finite. Throws Cancelled, Error(not_finite).
Tensor denoise(Tensor latents, const DenoiseParts& parts, const DenoiseServices& services);

}  // namespace kinescope
