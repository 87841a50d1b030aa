#pragma once

#include "core/models/guidance.h"
#include "core/models/video_vae.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

/// Receives the tensors of a run, to save or compare them: `verify`, `--latents`, `--frames`. By default it ignores
/// them. Values are float32 and must not be changed.
class TensorObserver {
public:
    virtual ~TensorObserver() = default;
    virtual void on_conditioning(const Conditioning&) {}
    virtual void on_initial_latents(const Tensor& /*latents*/) {}
    /// After guidance, as the scheduler receives it.
    virtual void on_noise_pred(int /*step*/, const Tensor& /*noise_pred*/) {}
    virtual void on_latents(int /*step*/, const Tensor& /*latents*/) {}
    /// The part of the step's time that monitor and guard used.
    virtual void on_watched(int /*step*/, double /*seconds*/) {}
    /// After the last step.
    virtual void on_sampled(const Scheduler& /*scheduler*/, const Guidance& /*guidance*/) {}
    /// As the VAE receives them.
    virtual void on_final_latents(const Tensor& /*latents*/) {}
    /// [F, H, W, 3], 0..1, chunk after chunk.
    virtual void on_frames(const Tensor& /*frames*/) {}
    /// After the last chunk.
    virtual void on_decoded(const VideoVae& /*vae*/) {}
    /// Every frame has passed its checks; the video gets its name next. An Error thrown here becomes a warning.
    virtual void on_complete() {}
};

}  // namespace kinescope
