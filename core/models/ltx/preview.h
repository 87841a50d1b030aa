#pragma once

#include "core/api/model_card.h"
#include "core/models/ltx/config.h"

namespace kinescope::ltx {

/// Stores the preview colors for latents of a published VAE in the card. Other VAEs get none and a gray preview.
void describe_preview(const VaeConfig& vae, ModelCard& card);

}  // namespace kinescope::ltx
