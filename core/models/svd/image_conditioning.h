#pragma once

#include "core/models/model_family.h"

namespace kinescope::svd {

/// What CLIP is shown: the picture in its own size, made small by antialiased_resize, and normalised. `image` uint8 [H,
/// W, 3] -> float32 [1, 3, side, side]. Throws Error(image_unreadable) for a side below 2 px.
Tensor clip_input(const ModelFiles& files, const Tensor& image);

/// The image as the UNet takes it: its embedding by CLIP, and its latents by the VAE with noise over it, the same for
/// every frame; and the added time ids. The encoders live only inside of this call. Draws the noise even if its
/// strength is 0, as the reference does.
Conditioning encode_image(const EncodeInput& input, NoiseSource& noise, const ForwardContext& context);

}  // namespace kinescope::svd
