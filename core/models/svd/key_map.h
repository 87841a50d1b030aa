#pragma once

#include "core/weights/key_map.h"

namespace kinescope::svd {

/// How the UNet of the original (sgm) release is cut into blocks.
struct UNetLevels {
    std::int64_t count = 4;
    std::int64_t layers = 2;  ///< residual blocks of each on the way down; one more on the way up
};

/// The UNet, below "model.diffusion_model." in the published file.
KeyMap unet_keys(const UNetLevels& levels);

/// The VAE. The published file has it below "first_stage_model.", and the moments' convolution only in the copy that
/// the conditioner has.
KeyMap vae_keys(std::int64_t levels);

}  // namespace kinescope::svd
