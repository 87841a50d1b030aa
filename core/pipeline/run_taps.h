#pragma once

#include "core/models/guidance.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

/// The tensors of a run, for whoever wants to keep or compare them: `verify`, `--latents`, `--frames`. Does nothing by
/// itself. Values are float32 and must not be changed.
class RunTaps {
public:
    virtual ~RunTaps() = default;
    virtual void on_conditioning(const Conditioning&) {}
    virtual void on_initial_latents(const Tensor& /*latents*/) {}
    /// After guidance, as handed to the scheduler.
    virtual void on_noise_pred(int /*step*/, const Tensor& /*noise_pred*/) {}
    virtual void on_latents(int /*step*/, const Tensor& /*latents*/) {}
    /// How much of the step's time monitor and guard took.
    virtual void on_watched(int /*step*/, double /*seconds*/) {}
    /// After the last step.
    virtual void on_sampled(const Scheduler& /*scheduler*/, const Guidance& /*guidance*/) {}
    /// As handed to the VAE.
    virtual void on_final_latents(const Tensor& /*latents*/) {}
    /// [F, H, W, 3], 0..1, chunk after chunk.
    virtual void on_frames(const Tensor& /*frames*/) {}
    /// Every frame has passed its checks; the video gets its name next. An Error thrown here becomes a warning.
    virtual void on_complete() {}
};

}  // namespace kinescope
