#pragma once

#include "core/weights/key_map.h"

namespace kinescope::svd {

/// Block structure of the UNet, which determines its names in the original (sgm) release.
struct UNetLevels {
    std::int64_t count = 4;
    std::int64_t layers = 2;  ///< residual blocks per down level; up levels have one more
};

/// Maps UNet names, under "model.diffusion_model." in the published file.
KeyMap unet_keys(const UNetLevels& levels);

/// Maps VAE names, under "first_stage_model." in the published file. Only the conditioner's copy of the VAE contains
/// the convolution of the moments, quant_conv.
KeyMap vae_keys(std::int64_t levels);

}  // namespace kinescope::svd
