#pragma once

#include "core/api/model_card.h"
#include "core/models/wan/config.h"

namespace kinescope::wan {

/// Stores the preview colors for latents of a published VAE in the card. Other VAEs have none and a gray preview.
void describe_preview(const VaeConfig& vae, ModelCard& card);

}  // namespace kinescope::wan
