#pragma once

#include "core/weights/key_map.h"

namespace kinescope::svd {

/// The block structure of the UNet, which determines its names in the original (sgm) release.
struct UNetLevels {
    std::int64_t count = 4;
    std::int64_t layers = 2;  ///< residual blocks per down level; up levels have one more
};

/// Returns the map of the original (sgm) UNet names, which begin with "model.diffusion_model." in the published file.
KeyMap unet_keys(const UNetLevels& levels);

/// Returns the map of the original (sgm) VAE names, which begin with "first_stage_model." in the published file. There,
/// only the copy of the VAE in the conditioner contains quant_conv, the convolution of the moments.
KeyMap vae_keys(std::int64_t levels);

}  // namespace kinescope::svd
