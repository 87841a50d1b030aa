#pragma once

#include <functional>

#include "core/models/guidance.h"
#include "core/pipeline/phase_services.h"
#include "core/pipeline/prediction_cache.h"
#include "core/pipeline/run_control.h"

namespace kinescope {

/// The start and end of the phase, and its callback.
struct DenoiseOptions {
    PredictionCache& cache;
    GuidanceState& guidance;
    const RunPosition* kept = nullptr;  ///< state of a run that continues; null: the run starts at the noise
    int last_step = 0;                  ///< last step of a run that ends early; 0: all steps run
    /// Called after each step, see DenoiseServices.
    std::function<void(int steps_done, const Tensor& latents, const Tensor& clean, const Scheduler& scheduler)>
        after_step;
};

/// Loads the denoiser, runs the steps that are left, and returns the latents for the VAE.
Tensor denoise_latents(const PhaseServices& services, const DenoiseOptions& options, const Conditioning& conditioning);

}  // namespace kinescope
