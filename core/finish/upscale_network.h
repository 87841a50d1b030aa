#pragma once

#include <filesystem>
#include <memory>

#include "core/device/precision.h"
#include "core/finish/network_layout.h"

namespace kinescope {

/// A network that enlarges pictures. It sees no more of a picture than the neighborhood of each pixel, so that tiles
/// with an overlap give nearly the same result.
class UpscaleNetwork {
public:
    virtual ~UpscaleNetwork() = default;
    /// Size of the result by that of the picture, 1 to 8.
    virtual int scale() const = 0;
    /// Enlarges pictures [N, H, W, 3], float32, RGB in 0..1, on the network's device. Returns [N, H s, W s, 3],
    /// float32, not clamped.
    virtual Tensor enlarge(const Tensor& pictures) const = 0;
};

/// An opened network, with the words for messages about it.
struct LoadedUpscaler {
    std::shared_ptr<const UpscaleNetwork> network;
    NetworkLayout layout;
};

/// Reads a .pth, .pt or .safetensors file. Throws Error(unsupported) for another kind of network, Error(missing_keys,
/// wrong_shape), Error(not_finite: S0) for NaN or infinity in a weight, and the errors of open_checkpoint.
LoadedUpscaler load_upscaler(const std::filesystem::path& file, const Precision& precision);

}  // namespace kinescope
