#pragma once

#include <functional>

#include "core/device/tensor.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// Latents to frames. Works chunk by chunk, so that memory is bounded by one chunk.
class VideoVae {
public:
    virtual ~VideoVae() = default;

    /// Frames of one chunk: float32 [F, H, W, 3], 0..1, on the CPU. Return value: nothing; throw to stop.
    using ChunkSink = std::function<void(const Tensor& frames)>;

    /// `latents`: float32 [1, C, F, H, W] as the denoiser leaves them (normalised).
    virtual void decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) = 0;
    /// How many chunks decode() will hand out.
    virtual int num_chunks(const Tensor& latents) const = 0;
};

}  // namespace kinescope
