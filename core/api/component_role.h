#pragma once

#include <string_view>

#include "core/api/numeric_sample.h"

namespace kinescope {

/// The task of a model's component in a run.
enum class ComponentRole {
    text_encoder,
    image_encoder,
    denoiser,
    vae,
    none,  ///< a part without weights: tokenizer, scheduler, image processor ...
};

/// Returns the role of a component by its name in diffusers' folder layout: "text_encoder", "text_encoder_2",
/// "transformer", "transformer_2", "unet", "vae", "image_encoder" ...
ComponentRole role_of(std::string_view component);

/// Returns the phase in which a component does its main work. A VAE may additionally encode images in Phase::encode.
Phase phase_of(ComponentRole role);

}  // namespace kinescope
