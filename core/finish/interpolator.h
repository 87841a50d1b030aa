#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "core/device/precision.h"
#include "core/finish/rife_network.h"

namespace kinescope {

struct LoadedInterpolator {
    std::shared_ptr<const RifeNetwork> network;
    NetworkLayout layout;
};

/// Reads a .pth, .pkl or .safetensors file; errors as for load_upscaler.
LoadedInterpolator load_interpolator(const std::filesystem::path& file, const Precision& precision);

/// Makes frames between pairs of consecutive frames. Encodes each frame once.
class Interpolator {
public:
    Interpolator(std::shared_ptr<const RifeNetwork> network, const Device& device)
        : network_(std::move(network)), device_(device) {}

    /// Sets the next frame, float32 [1, 3, H, W] in 0..1; the one before becomes the first of the pair. All frames have
    /// the same size.
    void push(const Tensor& frame);
    /// The frame at `time`, 0..1 between the last two frames: float32 [1, 3, H, W], 0..1. NaN is kept. `after_block`
    /// may throw to stop.
    Tensor at(double time, const AfterBlock& after_block) const;

private:
    std::shared_ptr<const RifeNetwork> network_;
    Device device_;
    EncodedFrame first_;
    EncodedFrame second_;
    std::int64_t height_ = 0;
    std::int64_t width_ = 0;
    double scale_factor_ = 1;
};

/// The scale factor of RifeNetwork for a size: 0.5 above 2048 px on the longer side, as recommended for 4K.
double rife_scale_factor(std::int64_t width, std::int64_t height);

}  // namespace kinescope
