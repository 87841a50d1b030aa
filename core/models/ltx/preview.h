#pragma once

#include "core/api/model_card.h"
#include "core/models/ltx/config.h"

namespace kinescope::ltx {

/// Stores the preview colors for latents of a published VAE in the model card. With other VAEs, the preview is gray.
void describe_preview(const VaeConfig& vae, ModelCard& card);

}  // namespace kinescope::ltx
