#pragma once

#include "core/api/model_card.h"
#include "core/models/wan/config.h"

namespace kinescope::wan {

/// Stores the preview colors for latents of a published VAE in the model card. With other VAEs, the preview is gray.
void describe_preview(const VaeConfig& vae, ModelCard& card);

}  // namespace kinescope::wan
