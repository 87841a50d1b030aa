#pragma once

#include "core/models/model_family.h"
#include "core/models/wan/config.h"

namespace kinescope::wan {

/// VACE's control condition, float32 [1, 2 z + s s, f + references, h, w] with the VAE's spatial factor s: the latents
/// of the kept and of the generated parts of the control video, then the mask in s s channels. Each reference picture
/// is one latent frame in front. The control video is EncodeInput::video; or gray frames between the first and last
/// image; or the last frames of the video that the run continues, followed by gray frames; or nothing. The VAE encoder
/// is loaded only for this call. Sources: diffusers, pipeline_wan_vace.py.
Tensor encode_control(const EncodeInput& input, const VaeConfig& config, int overlap, const ForwardContext& context);

/// The size of a control video in diffusers' pipeline: the video's own, reduced to the area of `asked` and to multiples
/// of 16 px.
Size reference_control_size(Size video, Size asked, std::int64_t vae_factor, std::int64_t multiple);

/// Sets a picture, uint8 [H, W, 3], in the middle of a white canvas: float32 [size.height, size.width, 3] in -1..1.
Tensor reference_canvas(const Tensor& picture, Size size, std::int64_t vae_factor);

/// Mask values [F, H, W] in 0..1 -> [1, s s, f, H / s, W / s]: the pixels of each s x s block become channels, and each
/// latent frame takes one frame of the mask ("nearest-exact").
Tensor mask_channels(const Tensor& mask, std::int64_t vae_factor, std::int64_t latent_frames);

}  // namespace kinescope::wan
