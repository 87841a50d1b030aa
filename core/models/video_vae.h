#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/device/tensor.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// Decodes latents to frames, chunk by chunk to limit memory.
class VideoVae {
public:
    virtual ~VideoVae() = default;

    /// Receives the frames of one chunk: float32 [F, H, W, 3] in [0, 1] on the CPU. May throw to stop the decoding.
    using ChunkSink = std::function<void(const Tensor& frames)>;

    /// Decodes `latents`: float32 [1, C, F, H, W], normalized, as the denoiser returns them.
    virtual void decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) = 0;
    /// Returns the number of chunks that decode() passes to the sink.
    virtual int num_chunks(const Tensor& latents) const = 0;
    /// Returns intermediate values of the last decode() that golden cases store, under their names in the case
    /// ("latents_decode").
    virtual std::map<std::string, Tensor> record() const { return {}; }
};

/// Clamps frames to [low, high]. Infinite values become NaN, because clamping would hide them from the frame check.
Tensor clamped_frames(const Tensor& frames, double low, double high);

}  // namespace kinescope
