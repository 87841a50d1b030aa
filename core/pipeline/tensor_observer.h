#pragma once

#include "core/models/guidance.h"
#include "core/models/video_vae.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

/// Receives the tensors of a run, to save or compare them: `verify`, `--latents`, `--frames`. The default functions do
/// nothing. Values are float32; observers must not change them.
class TensorObserver {
public:
    virtual ~TensorObserver() = default;
    /// True: on_encoder_input receives the pixels that the VAE encodes, which cost memory.
    virtual bool compares_encoder_inputs() const { return false; }
    virtual void on_encoder_input(const std::string& /*name*/, const Tensor& /*pixels*/) {}
    virtual void on_conditioning(const Conditioning&) {}
    virtual void on_initial_latents(const Tensor& /*latents*/) {}
    /// Called with the prediction after guidance, as the scheduler receives it.
    virtual void on_noise_pred(int /*step*/, const Tensor& /*noise_pred*/) {}
    virtual void on_latents(int /*step*/, const Tensor& /*latents*/) {}
    /// Called with the time that monitor and guard took in this step.
    virtual void on_watched(int /*step*/, double /*seconds*/) {}
    /// Called after the last step.
    virtual void on_sampled(const Scheduler& /*scheduler*/, const Guidance& /*guidance*/) {}
    /// Called with the latents as the VAE receives them.
    virtual void on_final_latents(const Tensor& /*latents*/) {}
    /// Called with the frames of one chunk, [F, H, W, 3] in [0, 1].
    virtual void on_frames(const Tensor& /*frames*/) {}
    /// Called after the last chunk.
    virtual void on_decoded(const VideoVae& /*vae*/) {}
    /// Called after all frames have passed their checks and before the video is renamed to its final name. An Error
    /// thrown here becomes a warning.
    virtual void on_complete() {}
};

}  // namespace kinescope
