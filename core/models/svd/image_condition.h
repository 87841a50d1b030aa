#pragma once

#include "core/models/model_family.h"

namespace kinescope::svd {

/// Returns the input of the CLIP encoder, float32 [1, 3, side, side]: the image, uint8 [H, W, 3], shrunk by
/// antialiased_resize and normalized. Throws Error(image_unreadable) if a side is shorter than 2 px.
Tensor clip_input(const ModelFiles& files, const Tensor& image);

/// Returns the condition of the UNet: the image's CLIP embedding, the VAE latents of the image with noise, repeated for
/// every frame, and the added time ids. The encoders are loaded only for this call. Like the reference, draws the noise
/// even if its strength is 0.
Conditioning encode_image(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context);

}  // namespace kinescope::svd
