#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope::wan {

/// Recognizes the denoiser by diffusers', the original authors' or ComfyUI's tensor names. `config` of the result has
/// diffusers' keys. Assumes heads of width 128, as in all published models, if the width is a multiple of 128.
std::optional<RecognizedPart> recognize_transformer(const TensorCatalog& tensors);

/// Recognizes VACE's side branch in a file of its own, a module that is put over a text-to-video denoiser. `config` of
/// the result has the keys that the module adds to the denoiser's, and `assumed` those that the denoiser must have.
std::optional<RecognizedPart> recognize_vace_module(const TensorCatalog& tensors);

/// Recognizes the VAE of Wan 2.1 or 2.2 by diffusers', the original authors' or ComfyUI's tensor names.
std::optional<RecognizedPart> recognize_vae(const TensorCatalog& tensors);

/// Returns the contents of config.json for the Wan 2.2 VAE.
Json published_vae_22_config();

/// Converts the original authors' config.json (WanModel) to diffusers' keys.
Json config_from_native(const Json& native);

}  // namespace kinescope::wan
